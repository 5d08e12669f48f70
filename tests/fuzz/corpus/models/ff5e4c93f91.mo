model Random
  Real part1.q1(start = (-1), fixed = true);
  Real long_name_4(start = (-3), fixed = true);
  Real 'a.b[6].c'(start = (-3/2), fixed = true);
  Real long_name_5(start = 0, fixed = true);
  Real part0.q3(start = (-1), fixed = true);
  Real part2.q2(start = 0, fixed = true);
  Real x0(start = (-2), fixed = true);
equation
  der(x0) - (1*sin((1/2)*time)) + 3*(x0 - (-2)*cos((1/2)*time)) + (1/5)*(2*(x0^2 - ((-2)*cos((1/2)*time))^2)) = 0;for i in 1:3 loop w[i] = i; end for;
  der(part0.q3) - ((1/2)^((-1/2)*time))rt = 0, fixed = true);
  Real x0(start = (-2), fixed = true);
equation
  der(x0) - (1*sin((1/2)*time)) + 3*(x0 - (-2)*cos((1/2)*time)) + (1/5)*(2*(x0^2 - ((-2)*cos((1/2)*time))^2)) = 0;for i in 1:3 loop w[i] = i; end for;
  der(part0.q3) - ((1/2)^((-1/2)*time)) + 2*(part0.q3 - (-1)*exp((-1/2)*time)) + (1/5)*(0) = 0;
  0 = der('a.b[6].c') - ((9/4)*sin((3/2)*time)) + 2*('a.b[6].c' - (-3/2)*cos((3/2)*time)) + (1/5)*((-1)(sin('a.b[6].c') - sin((-3/2)*cos((3/2)*time))));
  der(part1.q1) - ((0 + 1*cos(1*time))) + 2*(part1.q1 - ((-1) + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(part2.q2) - ((-3)*cos(1*time)) + 3*(part2.q2 - (-3)*sin(1*time)) + (1/5)*((-1)*(part2.q2 - (-3)*sin(1*time))) = 0;
  der(long_name_5) - (3*cos((3/2)*time)) + 1*(long_name_5 - 2*Random
  Real part1.q1(start = (-1), fixed = true);
  Real long_name_4(start = (-3), fixed = true);
  Real 'a.b[6].c'(start = (-3/2), fixed = true);
  Real long_name_5(start = 0, fixed = true);
  Real part0.q3(start = (-1), fixed = true);
  Real part2.q2(start = 0, fixed = true);
  Real x0(start = (-2), fixed = true);
equation
  der(x0) - (1*sin((1/2)*time)) + 3*(x0 - (-2)*cos((1/2)*time)) + (1/5)*(2*(x0^2 - ((-2)*cos((1/2)*time))^2)) = 0;
  der(part0.q3) - ((1/2)*exp((-1/2)*time)) + 2*(part0.q3 - (-1)*exp((-1/2)*time)) + (1/5)*(0) = 0;
  0 = der('a.b[6].c') - ((9/4)*sin((3/2)*time)) + 2*('a.b[6].c' - (-3/2)*cos((3/2)*time)) + (1/5)*((-1)(sin('a.b[6].c') - sin((-3/2)*cos((3/2)*time))));
  der(part1.q1) - ((0 + 1*cos(1*time))) + 2*(part1.q1 - ((-1) + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(part2.q2) - ((-3)*cos(1*time)) + 3*(part2.q2 - (-3)*sin(1*time)) + (1/5)*((-1)*(part2.q2  + 2*(part0.q3 - (-1)*exp((-1/2)*time)) + (1/5)*(0) = 0;
  0 = der('a.b[6].c') - ((9/4)*sin((3/2)*time)) + 2*('a.b[6].c' - (-3/2)*cos((3/2)*time)) + (1/5)*((-1)(sin('a.b[6].c') - sin((-3/2)*cos((3/2)*time))));
  der(part1.q1) - ((0 + 1*cos(1*time))) + 2*(part1.q1 - ((-1) + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(part2.q2) - ((-3)*cos(1*time)) + 3*(part2.q2 - (-3)*sin(1*time)) + (1/5)*((-1)*(part2.q2 - (-3)*sin(1*time))) = 0;
  der(long_name_5) - (3*cos((3/2)*time)) + 1*(long_name_5 - 2*Random
  Real part1.q1(start = (-1), fixed = true);
  Real long_name_4(start = (-3), fixed = true);
  Real 'a.b[6  der(part0.q3) - ((1/2)*exp((-1/2)*time)) + 2*(part0.q3 - (-1)*exp((-1/2)*time)) + (1/5)*(0) = 0;
  0 = der('a.b[6].c') - ((9/4)*sin((3/2)*time)) + 2*('a.b[6].c' - (-3/2)*cos((3/2)*time)) + (1/5)*((-1)(sin('a.b[6].c') - sin((-3/2)*cos((3/2)*time))));
  der(part1.q1) - ((0 + 1*cos(1*time))) + 2*(part1.q1 - ((-1) + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(part2.q2) - ((-3)*cos(1*time)) + 3*(part2.q2 - (-3)*sin(1*time)) + (1/5)*((-1)*(part2.q2  + 2*(part0.q3 - (-1)*exp((-1/2)*time)) + (1/5)*(0) = 0;
  0 = der('a.b[6].c') - ((9/4)*sin((3/2)*time)) + 2*('a.b[6].c' - (-3/2*time))));
  der(part1.q1) - ((0 + 1*cos(1*time))) + 2*(part1.q1 - ((-1) + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(part2.q2) - ((-3)*cos(1*time)) + 3*(part2.q2 - (-3)*sin(1*time)) + (1/5)*((-1)*(part2.q2 - (-3)*sisin((3/2)*time)) + (1/5)*((-3)*(long_name_5^2 - (2*sin((3/2)*time))^2)) = 0;
  der(long_name_4) - ((-1/3)) + 1*(long_name_4 - ((-3) + (-1/3)*time)) + (1/5)*((3/2)*(x0^2 - ((-2)*cos((1/2)*time))^2)) = 0;
end Random;
