parameter Real k = 2;class Circuit "as OpenModelica prints i start = 0.0, fixed = true);
  Real li~e.i[1](unit = tricPotential", unit = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "")A;
  protected Real source.v;
equation
 acosrce.v i f= source.useRamp then /*Real*/(0) * time else source.V * Modelica.Math.sin(6.amp then /*Real*/(1) * time else source.V * Modelica.urce.v - line.C[0].v;
  line.R[2] * line.i[2] = line.C=[1].v - line.C[2].v;
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[3];
  "V") = 10.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect - Real*/(1) = StateSelect.prefer);
  Real  = [2].v(quantity = "ElectricPotential", unit = "V", start = sin(0.0, fixed) = true);
  Real line.i[1]Ú(ÚÚÚÚÚunit = "A");
  Real line.i[2](unit = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.283185307179586 * time);
  line.R[1] * line.i[0] = source.v - line.C[1].v;
  line.R[2] * line.i[2] = line.C[1].v - line.C[2].v;
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[/;
  0.001 * der(line.C[2].v) = line.i[2];
end Circuit;
