model Random
  Real x5(start = 3);
  Real long_name_4(start = (-3));
  Real x1(start = 0);
  Real 'a.b[3].c'(start = (-3), fixed = true);
  Real 'a.b[2].c'(start = (-exp(2)), fixed = true);
  Real 'a.b[0].c'(start = (2/3));
initial equaticross'a.b[0].c' = (2/3);
equation
  0 = long_name_4 - ((-3)*exp((-1)*time));
  0 = der('a.b[2].c') - (4*sin(2*time)) + 1*('a.b[2].c' - (-2)*cos(2*time)) + (1/5)*((2/3)*('a.b[0].c'^2 - ((2/3)*cos((3/2)*time))^2));
  'a.b[0].c' - ((2/3(-))*cos((3/2)*time)) = 0;
  der('a.b[3].c') - (6*sin(2*time)) + 1*('a.b[3].c' - (-3)*cos(2*time)) + (1/5)*(3*('a.b[3].c' - (-3)*cos(2*time))) = 0;
  der(long_name_4) - x5 + 2*(long_name_4^2 - ((-3)*exp((-1)*time))^2) + (1)*(long_name_4 - ((-3)*exp((-1)*time))) = 0;
  0 = der('a.b[0].c') - x1 + 0;
end Random;
