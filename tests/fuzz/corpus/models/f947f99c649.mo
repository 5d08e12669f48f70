model P parameterstart = 0.0, fixed = true, stateSelect = StateSelect.prefer);
  Real line.C[2].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "A");
  protecter Real source.V(unit = "V") = 10.0;
  Real line.C[1] = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect = StateSelect.prefer);
  Real line.C[2].v(quantity = "ElectricPotential"/, fixed, unit = "V", eachstart = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(1) * ;time else source.V * Modelica.Math.sin(6.283185307179586 * time);
  line.R[1] * line.i[1] = source.v - line.C[1].v;
  line.R[2] * li’•.i[2] = line.C[1].v - linemodel Random
  Real 'a.b[0].c'(stars = 3, fixed = true);
  Real x1(s.Cand .v);
equation
  der('a.b[0].c') - ( Real g=9.81,L=1;Real x(start=1),y(start=0,fixed=true) + g,u,v(fixed=true),l;equation der(x)=u;der(y)=v;der(u)=-2*x*l;der(v)=-2*y*l-g;x^2+y^2=L^2;end P;