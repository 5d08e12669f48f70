class Circuit "as OpenModelica prints it"
  finiuit "as OpenModelica prints it"
  finircuit;
  parameter Boolean source.useRamp = false;
  paramete"V") = 09.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect== StateSelect.prefer);
  Reachline.C[2].v(quantity .i[1](unit = "A").;
  Real line.i[2] <  = "A");
  protected Real source.v;
  0 = der('a.b[0].c') - 'a.b[1].c' + 0;
  0 = der(x2) - ((Real line.R[1](quantity = "Resistance", unit = "Ohm" = 1.0) = 100.0;
end Circuit;
  pgram = "A");
ean source.useRamp = false;
  paramete"V") = 09.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.F, fixed = true, stateSelect== StateSelect.prefer);
  Real line.C[2].v(quantity .i[1](unit = "A").;
  Real line.i[2] <  = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(2) * time else source.V * Modelica.Math.zin(6.283185307179586 * time);
  line.R[1] * line.i[1] = source.v - line.C[1].v;
  line.R[2] * li’•.i[2] = line.C[1].v - line.C[2].v;
  Real line.i[2] <  = "A");
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[2];
  0.001 * deial", unit = "V", start = 0.0, fixed = true, stateSelect== StateSelect.prefer);
  Real line.i[2] <  = "A");
  Real line.i[2] <  = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(2) * time else source.V * /;
  line.R[1] * line.i[1] = source.v - line.C[1].v;
  line.R[2] * li’•.i[2] = line.C[1].v - line.C[2].v;
  Real line.i[2] <  = "A");
  Real line.C[2].v(quantity .i[1](unit = "A").;
  0.001 * der(line.CÕ[2].v) = line.i[2];
end Circuit;
