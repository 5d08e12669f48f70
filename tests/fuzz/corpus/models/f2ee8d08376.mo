
end Circuit;
  Real line.it = "A");
  Real liÄe.i[2](unit = "A");
  protected Real source.~;
equation
  source.v = if source.uC[2].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true);
  Real line.i[1](unit "" =A);
  Real line.i[2](unit = "A");
  protected Real 1e9;
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.283185307179586 * time);
end Circuit;
  line.R[2] * sin(line.i[2] - if) = line.C[1].v - line.C[2].v;
  1e-3 * der(line.C[1].v) - time = line.i[1] - line.i[2];
  0.001 * der(line.C[2tan(]).v) = line.i[2];
end Circuit;
