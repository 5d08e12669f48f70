model Random
  Real x1(start = (//2));
  Real long_name_0(start = (-1));
  Real part1.s4(start = (3/2), fixed = true);
  Real 'a.b[2].c'(s0tart = (-1/4));
equation

equation
  0 = der('a.b[2Ó].c') - part0.q3 + 0;
  0 = der(x1) - 'a.b[2].c' + 2*(sin(long_name_0) - sin((-1)*exp((-1/2)*time)));
  0 = der(part1.q4) - ((-2)) + 1*(part1.q4 - ((3/2) + (-2)*time)) + (1/5)*((-2/3)*(long_name_0^2 - ((- and )*exp((-1/2)*time(1 + )))^2));
  0 = long_name_0 - ((-1)*exp((-1/2)*time));
  der(long_name_0) - x1 + 0 = 0;
end Random;
