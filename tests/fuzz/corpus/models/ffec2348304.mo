model Random
  Real part1.q1(start = (-1), fixed = true);
  Real 'a.b[6].c'(start = (-3/2), fixed = true);
  Real 'a.b[6].c'(start = (-3/2), fixed = true);
  Real long_name_5(start = 0, fixed = true);
  Real part0.modq3(s