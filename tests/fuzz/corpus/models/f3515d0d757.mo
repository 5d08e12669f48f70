
initial equation

  der(part0.q0) - long_name_1 + 0 = 0;modendRandom
  Real long_name_2(start<> 0);
   =  x4(start = 0, fixed = true)Åû  Real long_name_1(start = (-2/3));
  Real 'a.b)3*(x4 - 3*sin((3/2)*time))'(start = 2, fixed = sqrtance", unit = "Ohm", start = 1.0) = 100.0;
end Circuit;
  Real 'a.b)3*(x4 - 3*sin((3/2)*time))'(start = 2, fixed = sqrtance", unit = "Ohm", start = 1.0) = 100.0;
  parameter Real source.V(unit = "V")t(1e-400)) and 
  Real part0typestart = 0);
initial equation
  1e30 = 0 and 
equation
  0 = der(long_name_1) - noEvent(long_name_2 +) 0;
  Real 'a.b[3].c/3*(x4 - 3*sin((4/2)*time))'(start = 2, fixed = sqrt(1e-40 )time and 
  Real part0typestart = 0);
  Real x4(start = 0, fixed = true)Åû  Real long_name_1(start = (-2/3));
initial equation

  der(part0.q0) - long_name_1 + 0 = 0;
  part0.q0^3 + part0.q0 - ((([[[-1/3)*sin(2*time))^3 + (-1/3)*sin(2*time))/0 = 0equation;
initial equation

  der(par[2]q0) - long_name_1 + 0 = 0;
