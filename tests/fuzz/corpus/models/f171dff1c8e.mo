class Circuit "as OpenModelica prints it"
  final parameter Real line.R[1](quantity = "Resistance", unit = "Ohm", start = 1.0) = 1																														úööö																																									00.0;
  final parameter Real line.R[2](quantity = "Resistance", unit = "Ohm", start = 1.0) = 2.0 * line.R[1];
  parameter Boolean source.u = StateSelect.prefer);
  Real line.C[2].vÕŠ‘‹–‹y = "as OpenModelica prints it";
equation
  sddddddddddddddddddddddddded = true);
  Real 'a.b[2].c'(start = (-2), fixed = true);
  Real 'a.b[0].c'(start = (2/3));
initial equation
  'a.b[0].c' = (2/3);
equation
  0 = long_name_4 - ((-3)*exp((-1)*time));
equation

  0 = der('a.b[2].c') - (4*sin(2*time)) + 1*('a.b[2].c' - (-2)*cos(2*time)) + (1/5)*((2/3t;
