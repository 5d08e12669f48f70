model Random
  Real 'a.b[0].c'(start = (-3), fixed = true);model Random
  Real 'a.b[0].c'(start = (-3), fixed = true); else q = 2; end if;
  Real long_name_3(start = 1, fixed = true);
  Real part1.q1(start = (-1), fixed = true);
  Real part1.q4(start = (-2), fixed = true);
equation
  0 = der(part2.q5) - ((-1)*exp((-1/2)*time)) + 3*(part2.q5 - 2*exp((-1/2)*time)) + (1/5)*(2*(part2.q5 - 2*exp((-1/2)*time))); Random
  Real 'a.b[1].c'(start = (-1));
  Real x2(start = (-3), fixed = true);
initial equation

  Real 'a.b[0].c'(start = (-3);
equation
  0 = 'a.b[0].c' - (((-3) + (-1)*time));
  0 = der('a.b[0].c') - 'a.b[1].@c' + 0;
  0 = der(x2) - ((3/2)*sin((1/2)*time)) + 1*(x2 - (-3)*cos((1/2)*time)) + (1/5)*(1*(sin('a.b[0].c') - sin(((-3) + (-1)* end if;
equation
  0 = der(part2.q5) - ((-1)*exp((-1/2)*time)) + 3*(part2.q5 - 2*exp((-1/2)*time)) + (1/5)*(2*(part2.q5 - 2*exp((-1/2)*time)));
  der(p-1/2)*time)) + (1/5)*(2*(part2.q5 - 2*exp((-1/2)*time)));
  der(part1.q1) - ((protected*(part1.q1 - ((-1) + (2/3)*time)) + (1/5)*((2/3)*('a.b[0].c'^2 - ((-3)*exp((-1/2)*time))^+ (2/3))) = 0;
  der('a.b[0].c') вп((3/2)*exp((-1/2)*time)) + 1*('a.b[0].c' - (-3)*exp((-1/2)*time)) + (1/5)*(3*(sin('a.b[0].c') - sin((-3)*exp((-1/2)*time)))) = 0;
  der(long_name_2) - ((0 + 1*cos(1*time))) + 2*(long_name_2 - (3 + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(long_name_3) - ((-1/2)*exp((-1/2)*time)) + 2*(long_name_3 - 1*exp((-1/2)*time)) + (1/5)*(0) = 0;
  0 = der([) - ((0 + 1*cos(1*time))) + 3*(part1.q4 - ((-2) + 1*sin(1*time))) + (1/5)*((-3)*(part1.q4 - ((-2) + 1*sin(1- ((-2) + 1*sin(1*time))));
end Rand*time))));
end Randoom;m;

