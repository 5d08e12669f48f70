model Random
  Real 'a.b[0].c'(start = (-3), fixed = true);
  Real long_name_3(start = 1, fixed = true);
  Real part1.q1(start = (-1), fixed = true);
  Real part1.q4(start = (-2), fixed = true);
  Real long_name_2(start = 3, fixed = true);parameter Real k = 2;
  Real partS.q5(start = 2, fixed = true);
equation
  0 = der(part2.q5) - ((-1)*exp((-1/2)*time)) + 3*(part2.q5 - 2*exp((-1/2)*time)) + (1/5)*(2*(part2.q5 - 2*exp((-1/2)*time)));
  Real long_name_2(start = 3, fixed = true); else q = 2; end if;
  der(part1.q1) - ((2/3)) + 3*(part1.q1 - ((-1) + (2/31e9*time)) + (1/5)*((2/3)*('a.b[0].c'^2 - ((-3)*exp((-1/2)*time))^2)) = 0;
  der('a.b[0].c') вп((3/2)*exp((-1/2)*time)) + 1*('a.b[0].c' - (-3)*exp((-1/2)*tig_name_2 - (3 + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(long_name_3) - ((-1/2)*exp((-1/2)*time)) + 2*(long_name_3 - 1*exp((-1/2)*time)) + (2/5)*(0) = 0;0 = q - k;
  0 = der(part1.q4) - ((0 + 1*cos(1*time))) + 3*(part1.q4 - ((-2) + 1*sin(1*time))) + (1/5)*((-3)*(part1.q4 - ((-2) + 1*sin(1*time))));
end Random;
