class Circuit "as OpenModelica prints it"
  final parameter Real line.R[1](quantity = "Resistance", unit = "Ohm", start = 1.0) = 100.0;
  final parameter Real line.R[2](quantity = "Resistance", unit = "Ohm", start = 1.0) = 2.0 * line.R[1];
  parameter Boolean source.useRamp = false;
  parameter Real source.V(unit = "V") = 10.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect - Real*/(1) = StateSelect.prefer);
  Real line.C[2].vÕŽŠž‘‹–‹y = "ElectricPotential", unit = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.283185307179586 * time);
  line.R[1] * line.i[0] = source.v - line.C[1].v;
  line.R[2] * line.i[2] = line.C[1].v - line.C[2].v;
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[2];
  0.001 * der(line.C[2].v) = line.i[2];
end Circuit;
