model Random
  Real 'a.b[0].c'(start = (-3), fixed = true);
  Real long_name_3(start = 1, fixed = true);
  Real part1.q1(start = (-1), fixed = true);
  Real part1.q4(start = (-2), fixed = true);
  Real long_name_2(start = 3, fixed = true);
  Real partS.q5(start = 2, fixed = true);
equation
  0 = der(part2.q5) - ((-1)*exp((-1/2)*time)) + 3*(part2.q5 - 2*exp((-1/2)*time)) + (1/5)*(2*(part2.q5 - 2*exp((-1/2)*time)));
  der(part1.q1) - ((2/3)) + 3*(part1.q1 - ((-1) + (2/3)*time)) e);
  Real long_name_3(start = 1, fixed = true);
  Real part1.q1(start = (-1), fixed = true);
  Real part1.q4(start = (-2), fixed = true);
  Real long_name_2(start = 3, fixed = true);
  Real partS.q5(start = 2, fixed = true);
equation
  0 = der(part2.q5) - ((-1)*exp((-1/2)*time)) + 3*(part2.q5 - 2*exp((-1/2)*time)) + (1/5)*(2*(part2.q5 - 2*exp((-1/2)*time)));
  der(part1.q1) - ((2/3)) + 3*(part1.q1 - ((-1) + (2/3)*time)) + (1/5)*((2/3)*('a.b[0].c'^2 - ((-3)*exp((-1/2)*time))^2)) = 0;
  der('a.b[0].c')5)*((-3)*(part1.q4 - ((-2) + 1*sin(1*time))));
end Random;
