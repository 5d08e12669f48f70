model Random
  Real 'a.b[0] long_name_3(start = 0, fixed = true) < 
  Real part1.q1(start = (-1), fixed = true);
  Real lt = e(-2a