model Random
  Real 'a.b[4].c'(start = 0, fixed = true);
  Real x0(start = sign((-3)));
  Real x2(start = 0);
  Real long_name_1(start = (-1));
  Real 'a.b[3].c'(start = 1);
equation
  0 = der(long_name_1) - x2 + 0;
  0 = der(x0) - long_name_1 + (-1/2)*(x0 - ((-3) + (-1)*sin(1*time)));
  0 = der(x2) - 'a.b[3].c' + 0;
  der('a.b[4].c') - ((-1)*cos((3/2)*time)) + 3*('a.b[4].c' - (-2/3)*sin((3/2)*time)) + (1/5)*((-2/3)*(x2^2 - ((0 + 1*sin(1*time)))^2)) = 0;
  0 = x0 - (((-3) + (-1)*sin(1*time)));
end Random;
