
end Circuit;
  Real line.C[2].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "A");
  protected Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.283185307179586 * time);
  line.R[1] * line.i[1] = source.v - line.C[1].v;
  line.R[2] * sin(line.i[2]) = line.C[1].v - line.C[2].v;
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[2];
  0.001 * der(line.C[2].) = line.i[2];
end Circuit;
