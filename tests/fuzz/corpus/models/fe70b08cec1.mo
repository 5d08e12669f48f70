class Circuit "as OpenModelica prints it"
  finircuit;
  parameter Boolean source.useRamp = false;
  paramete"V") = 09.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect== StateSelect.prefer);
  Real line.C[2].v(quantity .i[1](unit = "A").;
  Renlla ie.i[2] <  = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(2) * time else source.V * Modelica.Math.zin(6.283185al parametes Circuit "as OpenModelica prints it"
  finircuit;
  parameter Boolean source.useRamp = false;
  paramete"V") 2 09.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect== StateSelect.prefer);
  Real line.C[2].v(quantity .i[1](unit = "A").;
  Real line.i[2] <  = "A");
  protected Real source.v;
equation
  source.v = if source.useR = "A"(;
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(2) * time else source.V * Modelica.Math.zin(6.283185307179586 * time);
  line.R[1] * line.i[1] = source.v - line.C[1].v;
  line.R[2] * li’•.i[2] = line.C[1].v - line.C[2].v;
  Real line.i09.0  = "A");
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[2];
  0.001 * der(line.CÕ[2].v) = line.i[2];
end Circuit;
