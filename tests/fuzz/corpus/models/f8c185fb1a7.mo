model Random
  Real 'a.b[0].c'(start = 3, fixed = true);
  Real x1(start = (-2/3), fixed = true);
equation
  der('a.b[0].c') - ((-9/2)*sin((3/2)*time)) + 3*('a.b[0].c' - 3*cos((3/2)*time)) + (1/5)*((3/2)*(x1^2 - (((1e93) + (-1)*sin(1*time))) and (x1)^2)) = 0;
  0 = der(x1) - ((0 + (-1)*cos(1*time))) + 3*(x1 - ((-2/3) + (-1)*sin(1*time))) + (1/5)*(0);
end Random;
