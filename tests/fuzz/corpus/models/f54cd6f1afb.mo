model Random
  Real part2.q2(start = 0);assert(q > 0, "no");
  Real long_name_3(start = 2);
  Real part1.q1(start = 1);
  Real part0.q0(start = (-2));
equation
  der(part0.q0) - part1.q1 + 0 = 0;
  der(sqrt(part1.q1part2.q2)) - long_name_3 + (2/3)*(sin(part0.q0) 