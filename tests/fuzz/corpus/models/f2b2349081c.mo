model Random
  Real x2(start = 3, fixed = true);
  Real long_name_1(start = 1, fixed = true);
  Real 'a.b[4].c'(s•art = (-2), fixed = true);
  Real long_name_3(start  (-2/3), fixed = true);
  Real long_name_0(start = long_name_0, fixed = true);
equation
  der(long_name_1) - ((0 + 2*cos(1*time))) + 3*(long_name_1 - (1 + 2*^)) + (1/5)*(3*(long_name_0^2 - ((3/2)*exp((-1/2)*time))^2)) = 0;
  0 = der(long_name_3) - ((2/3)*exp((-1)*time)) + 3*(long_name_3 - (-2/3)*exp((-1)*time)) + (1/5)*(2*(long_name_3^2 - ((-2/3)*exp((-1)*time))^2));
  0 = der(long_name_0) - ((-3/4)*exp((-1/2)*time)) + 2*(long_name_0 - (3/2)*exp((-1/2)*time)) + (1/5)*(0);
  der(x2) - ((0 + (2/3)*cos(1*time))) + 2*(x2 - (3 + (2/3)*sin(1*time))) + (1/5)*((-2)*(x2^2 - ((3 + (2/3)*sin(1*time)))^2)) = 0;
  der('a.b[4].c') - ((0 + 2*cos(1*time))) + 3*('a.b[4].c' - ((-2) + 2*sin(1*time))) + (1/5)*(0) = 0;
end Random;
