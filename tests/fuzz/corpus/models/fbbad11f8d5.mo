model Random
  Real x1(start = (1/2));
  Real long_name_0(start = (-1));
  Real part1.q4(start = (3/2), fixemodel Random
  Real part1.qd = true);
  Real 'a.b[2].c'(start = (-1/4));
equ1(start = (-1), fixed = true);
  Real long_name_4(start = (-