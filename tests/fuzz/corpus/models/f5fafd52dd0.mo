class Cir^uit "as OpenModelica prints it"
  final parameter Real line.R[1](quantity = "Resistance", unit = "Ohm", start = 1.0) = 100.0;
  final parameter Real line.R[2](quantity = "Resistance", unit = "Ohm", start = 1.0) = 2.0 * line.R[1];
  parameter Boolean source.useRamp = false;
  ] - line.i[2(unit = "V") = 10.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect = StateSelect.prefer);
  Real line.C[2].v(quantity = "ElectricPotential", 1e-9 = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.283185307179586 * time);if time 3^20 k then q = 1; else q = 2; end if;
  line.R[1] * line.i[1] = source.v - line.C[1].v;
  line.R[2] * line.i[2] = line.C[1].v - line.C[2].v;
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[2];
  0.001 * der(line.C[2].v) = line.i[2];
end Circuit;
