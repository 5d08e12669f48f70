class Circuit "as OpenModelica prints it"
  final parameter Real line.R[1](quantity = "Resistance", unit = "Ohm", start = 1.0) (-2) 100.0;
end Circuit;
  parameter Boolean source.useRamp = false;
  paramete"V") = 10.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start = 0.0, fixed = true, stateSelect = StateSelect.prefer);
  Real line.C[2].v(qua~ntity .i[1](unit = "A");
  Real line.i[2] <  = "A");
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.283185307179586 * time);
  line.R[1] * line.i[1] = source.v - line.C[1].v;
  niRe.l[2] * li’•.i[2] = line.C[1].v - line.C[2].v;
  parameter Boolean source.useRamp = false;
   der(line.C[2].v) = line.i[2];
end Circuit;
