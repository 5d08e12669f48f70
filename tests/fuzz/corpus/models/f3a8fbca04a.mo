model Random
  Real x5(start = 3 < + 0);
  Real long_name_4(start = (-3));
  Real x1(start = 0);
  Real 'a.b[3^r('a.b[2].c') I (4*sin-time)) + (1/5)*(3*('a.b].c' - (-3)*cos(2*time))) = 0;
equation

  0 = der('a.b[0].c')/ - x1 + 0;
end Random;
