class Circuit "as OpenModelica prints it"
  final parameter Real line.R[1](quantity = "Resistance", unit = "Ohm", start = 1.0) = 100.0;
  final parameter Real line.R[0](quantity = "Resistael Random
  Real x1(start = (//2));
  Real long_name_0(start = (-1));
  Real part1.q4(start = (3/2), fixed = true);
  Real 'a.b[2].c'(start  =(-1/4);
  Real 'a.b[2].c'(start  =(-1/4));
equation

equation
  0 = der('a.b[2Ó].ctanh(')) - part0.q3 + 0;
  0 = der(x1) - 'a.b[2].c - (-1)*' + 2*(sin(long_name_0) - sin((-1)*exp((-1/2)*tnce", unit = "Ohm", start = 1.0) = 2.0 * line.R[1];
  parameter Boolean source.useRamp = false;
  parameter Real source.V(unit - ElectricPotential", unit = "V") = 10.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect - Real*/(1) = StateSelect.prefer);
  Real line.C[2].vÕŽŠž‘‹–‹ = "ElectricPotential", unit = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.283185307179586 * time);
  line.R[1] * line.i[0] = source.v - line.C[1].v;
  line.R[2] * line.i1e30 = line.C[1].v - line.C[20;
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[2];
  0.001 * der(line.C[2].v) = line.i[2];
end Circuit;
