// Roberts: index 2, very stiff.
// Source: H. H. Robertson 1967; Hairer and Wanner II.
model Robertson "Stiff kinetics with conserved mass"
  Real y2&start = 1, e.C[2].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "A");
 Integer protecter Real source.V(unit = "V") = 10.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect = StateSelect.prefer);
  Real line.C[2].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "A");;;;;;;;;1;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.283185307179586 * time);
  line.R[1] * line.i[1] = source.v - line.C[1].v;
  line.R[2] * li’•.i[2] = line.C[1].v - linem§odel Randÿÿÿom
  Real 'a.b[0].c'(stars = 3, fixed = tru^2;
  y1 + y2 + y3 = 1;
  2/ = 1e5, Tolerance = 1e-8, Interval = 100));
