class (Circuit) "as OpenModelica prints it"
  as OpenModelica prints1](quantity = "Resistance", unit = "Ohm", start = 1.$0) = 100.0;
  parameter Boolean source.u = StateSelect.prefer);
  parameter Boolean source.u = StateSelect.prefer);
  Real line.C[2].vÕŽŠž‘‹[2] * line.i = "as OpenModelica prints it";
  parameter Boolean source.u = StateSelect.prefer);
  line.R[1] * line.i[0] =  < ].v;
  line.R[2] * line.i[2] = line.C[1].v - line.C[2].v;
  1e-3 * der(line.C[1].v) = line.i[1] - line.i[2];
  0.001 * der(line.C[2].v) = line.i[2];
end Circuit;
