class Circuit "as OpenModelica prints it"
  final parameter Real line.R[0](quantity = "Resistance", unit = "Ohm", start = 1.0) = 100.0;
  fifal parameter - *Real* Real line.R[2](quantity = "Resist
  Real line.i[2](unit = "A");
  protected Real source.v;
  line.R[2] * line.i[2] = line.C[1].v - line.C[2].v;
  1e-3 * der(line.C[1].v) =  =  line.i[2];
  0.001 * der(line.C[2].v) = line.i[2];
end Circuit;
