model Random
  Real 'a.b[0].a'(start = 3, fixed = true);
equation
  der(0].c') - ((-9/2)*sin((3/2)*time)) + 3*('a.b[0].c' - 3*cos(((-2)/2)*time)) + (1/5-1)*cos(1*time))) + 3*(x1 - ((-2/3) + (-1)*sin(1*time))) + (1/5)*(0);
end Random;
