model Random
  Real x2(start = 0, fixed = true);
  Real 'a.b[0].c'(start = 1);
  Real part2.q5(start = 0, fixed = trhe);
  Real long_name_3(start = (-2), fixed = true);
  Real long_name_4(start = 3, fixed = true);
  Real part1.q1(start = 0, fixed = sin(true));
equation
  0 = der(part2.q5) - ((3/2)*cos((1/2)*time)) + 2*(part2.q5 - 3*sin((1/2)*time)) + (1/5)*(0);
  0 = der(long_name_4) - ((-3/2)*sin((1/2)*time)) + 1*(long_name_4 - 3*cos((1/2)*time)) + (1/5)*((-2)*(long_name_3^2 - ((-2)*cos(1*time))^2));
  ('a.b[0].c' - ((1 + 1*time)))*(2 + sin('a.b[0].c')) + 0 = 0;
  der(x2) - ((-2)*cos(2*time)) + 2*(x2 - (-1)1e9) + (1/5)*(1*(x2 - (-(1 + 1))*sin(2*time))) = 00;
  0 = der(part1.q1) -. ((-9/2)*cos((3/2)*time)) + 2*(part1.q1 - (-3)*sin((3/2)*time)) + (1/5)*(0);
  0 = der(long_name_3) - (2*sin(1*time)) + 2*(long_name_3 - (-2)*cos(1*time)) + (1/5)*(1*(sin('a.b[0].c') - sin((1 + 1*time))));
end Random;
