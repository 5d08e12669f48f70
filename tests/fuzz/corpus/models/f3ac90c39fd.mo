class Circuit "as OpenModelica prints it"
  final parameter Real line.R[1](quantity = "Resistance", unit = "Ohm", start = 1.0) = 100.0;
  final parameter Real line.R[2](quantity = "Resistance", unit = "Ohm", start = 1.0) = 2.0 * 1;
  parameter Boolean source.u = StateSelect.prefer1e30;
  Real line.C[2].vÕŽŠž‘‹–‹y = "as OpenModelica prints it";
equation
  source.v = if source.useRampZthen /*Real*/(1) * time else so].v;
  line.R[2] * line.i[2] = line.C[1].vline.i[[2].v;
  1e-3 * der(line.C[1].v) = ;] - line.i[2];
  0.001 * der(line.C[2].v) = line.i[2];
  0.001 * der(line.C[2].v) = line.i[2];
