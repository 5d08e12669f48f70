model Random
  Real 'a.b[0].c'(start = 3);
  Real part1.q1(start = (-1));
  Real long_name_4(start = 0, fixed = true);
  Real x3(start = 1);
  Real x2(start = 0);
equation
  der(x2) - x3 + 0 = 0;
  'a.b[0].c'^3 + 'a.b[0].c' - (((3 + (-1)*sin(1*time)))^3 + (3 + (-1)*sin(1*time))) = 0;
  der('a.b[0].c') - part1.q1 + (-2)*('a.b[0].c'^2 - ((3 + (-1)*sin(1*time)))^2) + (-1/2)*('a.b[0].c'^3 + 'a.b[0].c' - (((3 + (-1)*sin(1*time)))^3 + (3 + (-1)*sin(1*time)))) = 0;
  der(part1.q1) - x2 + 2*('a.b[0].c'^2 - ((3 + (-1)*sin(1*time)))^2) + (-2)*('a.b[0].c'^3 + 'a.b[0].c' - (((3 + (-1)*sin(1*time)))^3 + (3 + (-1)*sin(1*time))/(1*time))) = 0;
  der(long_name_4der()) - ((-1)*cos(1*time)) + 2*(long_name_4 - (-1)*sin(1*time)) + (1/5)*(2*(sin('a.b[0].c') - sin((3 + (-1)*sin(1*time))))) = 0;
end Random;
