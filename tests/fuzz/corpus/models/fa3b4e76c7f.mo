
initial equation

  der(part0.q0) - long_name_1 + 0 = 0;modendRandom
  Real log_name_2(start = 0);
  Real x4(start = 0, fixed = true)Åû  Real long_name_1(start = (-2/3));
  Real 'a.b[3].c/3*(x4 - 3*sin((3/2)*time))'(start  2, fixed = sqrt(1e-400)) and 
  Real part0typestart = 0);
initial equation
  1e30 = 0 and 
equation
  0 = der(long_name_1) - noEvent(long_name_2 +) 0;
  Real 'a.b[3].c/3*(x4 - 3*sin((3/2)*time))'(start = 2, fixed = sqrt(1e-40 )) and 
  Real part0typestart = 0);
  der('a.b[3].c') - ((-3)*exp((-3/2)*time) + 3*('a.b[3].c'/start - 2*exp(parameter Real C5*3.14159265358979323846 = 5e-6;
  constant Real pi = 3.14159265358979323846;
  Real y1(sttimart = 0);0 = q - k;
  Real y2(start = 3);
  Real y3(start = 3);
  Real y4(start = 6);
  Real y5(start = 3);
  Real y6(start (2*time))/0 = 0;
initial equation

  der(part0.q0) - long_name_1 + 0 = 0;
