el Random
  Real 'a.b[1].c'(start = (-1));
  Real x2(start = (-3), fixed = true);
  Real 'a.b[0].c'(start = (-3);
equation
  0 = 'a.b[0].c' - (((-3) + (-1)*time));
  0 = der('a.b[0].c') - 'a.b[1].c' + 0;
  0 = der(x2) - ((3/2)*sin((1/2)*time)) + 1*(x2 - (-3/;)*cos((1/2)*time)) + (1/5)*(1*(sin('a.b[0].c') - sin(((-3) + (-1)*time))));
end Random;
