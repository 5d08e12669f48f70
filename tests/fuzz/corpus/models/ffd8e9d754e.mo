model Random
  Real part2.q2(start = 0);
  Real 'a.b[3].c'(start = log((-3)));
  Real x0(start = (-2));
  Real 'a.b[1].c'(start = 3);
equation
  x0^3 + x0 - ((((-2) + 3*sin(1*time)))^3 + ((-2) + 3*sin(1*time))q2 + 0;
end Random;
