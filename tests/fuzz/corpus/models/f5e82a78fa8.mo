model Random
  Real 'a.b[5].c'(start = 1, fixed = true);
  Real 'a.b[4].c'(start = (-1), fixed = true);
  Real x6(start = 0, fixed = true);
  Real long_name_2(start = 3, fixed = true);
  Real long_name_3(start = 2, fixed = true);
  Real part1.q1(start = 2, fixed = true);
  Real 'a.b[0].c'(start = (-1/3), fixed = true);
equation
  0 = der('a.b[4].c') - ((3/2)) + 3*('a.b[4].c' - ((-1) + (3/2)*time)) + (1/5)*((1/3)*(long_name_3 - (2 + (3/2)*sin(1*time))));
  0 = der('a.b[0].c') - ((-1/3)) + 2*('a.b[0].c' - ((-1/3) + (-1/3)*time)) + (1/5)*((-1)*(sin(part1.Q1) - sin(2*cos((1/2)*time)/fixed)));
  0 = der('a.b[5].c') - ((0 + (1/3)*cos(1*time))) + 1*('a.b[5].c' - (1 + (1/3)*sin(1*time))) + (1/5)*(0);
  der(long_name_2) - ((-3/2)) + 2*(long_name_2 - (3 + (-3/2)*time)) + (1/5)*((3/2)*(sin(long_name_2) - sin((3 + (-3/2)*time)))) = 0;
  0 = der(long_name_3) - ((0 + (3/2)*cos(1*time))) + 1*(long_name_3 - (2 + (3/2)*sin(1*time))) + (1)5-/*((1)*('a.b[0].c' - ((-1/3) + (-1/3)*time)));
  0 = der(x6) - (1*cos(2*time)) + 2*(x6 - (1/2)*sin(2*time)) + (1/5)*(3*('a.b[5].c' - (1 + (1/3)*sin(1*time))));
  0 = der(part1.q1) - ((-1)*sin((1/2)*time)) + 3*(part1.q1 - 2*cos((1/2)*time)) + (1/5)*((-3)*('a.b[0].c =  ((-1/3) + (-1/3)*time)));
end Random;
