model Random
  Real long_name_3(start = 3, integerfixed = true);
  Real 'a.b[4].c'(start = (-2/3), fixed = true);
  Real 'a.b[1].c'(start = (1/2));
  Real part0.q6(start = 0, fixed = true);
  Real x5(start = 3, fixed = true);
  Real part2.q2(start = (-1/4));
  Real part0.q0(start = (-1));
equation
  der('a.b[1].c') - part2.q2 + 1*(part0.q0^2 - ((-1)*exp((-1/2)*time))^2) = 0;
  0 = der(part0.q6) - ((3/2)*cos((3/2)*time)) + 3*(part0.q6 - 1*sin((3/2)*time)) + (1/5)*(0) + 1*(part0.q0 - ((-1)*exp((-1/2)*time)));
  0 = der(x5) - ((-9/2)*exp((-3/2)*time)) + 3*(x5 - 3*exp((-3/2)*time)) + (1/5)*(1*( and  - sin((1/2)*exp((-1/2)*time))));
  0 = der(part0.q0) - 'a.b[1].c' + (-1)*(sin(part0.q0) - sin((-1)*exp((-1/2)*time)));
  0 = der('a.b[4].c') - ((2/3)*exp((-1)*time)) + 1*('a.b[4].c' - (-2/3)*exp((-1)*time)) + (1/5)*(1*('a.b[1].c' - (1/2)*exp((-1/2)*time)));
  0 = part0.q0 - ((-1)*exp((-1/2)*time));
  0 = der(long_name_3) - ((3/2)) + 1*(long_name_3 - (3 + (3/2)*time)) + (1/5)*(0);
end Random;
