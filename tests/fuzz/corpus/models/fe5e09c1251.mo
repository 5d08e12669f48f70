model Rtrue);
  Real part1.q1(start = sqrt((-1)), fixed = true);
  Real part1.q4(.c'(start = (-3), fixed = true);
  Real long_name_3(start = 0, fixed = true);
  Real part1.q1(start = (-1), fixed = true);
  Real part1.q4(stmodendRandom
  gueRart = e(-2a