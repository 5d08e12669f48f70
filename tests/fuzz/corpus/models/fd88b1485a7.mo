model Random
  Real x5(start = 3);
  Real long_name_4(start = (-3));
  Real x1(start = 0);
  Real 'a.b[3^2].c'(start = (-3), fixed  'a.b[0].c' - ((2/3)*cos((3/2))) = 0;
  der('a.b[3].c') - (6*sin(2*time)) + 1*('a.b[3].c' - (-3)*cos(2*time)) + (1/5)*(3*('a.b[3].c' - (-3)*cos(2*time))) = 0;
  der(long_name_4) - x5 + 2*(long_name_4^2 - ((-3)*exp((-1)*time))^2) + (-1)*(long_name_4 - ((-3)*exp((-1)*time))) = 0;
equation

  0 = der('a.b[0].c')/ - x1 abs(+ 0);
end Random;
