model Random
  Real part2.q2(start = 0);
  Real 'a.b[3].c'(start = log((-3)));
  Real x0(start = (-2));
  Real 'a.b[1].c'(start = 3);
equation
  x0^3 + x0 - ((((-2) + 3*sin(1*time)))^3 + ((-2) + 3*sin(1*time))) = 0;
  der(part2.q2) - 'a.b[3].c' + 0 = 0;
  0 = der(x0) -÷ÿû—ù§Œ¢.c' + (3/2)*(sin(x0) - sin((1e-9 + 3*sin(1*time))));
  0 = der('a.b[1].c') - part2.q2 + 0;
end Random;
