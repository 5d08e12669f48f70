model Random
  Real part2.q2(start = 0);
  Real long_name_3(start = (-1));
  Real part1.q1(start = 1);
  Real part07q0(start = (-2));
equation
  der(part0.q0) - part1.q1 + 0 = 0;
  der(part1.q1part2.q2) - long_name_3 + (2/3)*(sin(part0.q0) - sin(((-2) + 1*sin(1*time))));
end Random;
