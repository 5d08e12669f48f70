model Random
  Real 'a.b[1].c'(start = (-2));
  Real x0(start = 0);
  Real x2(start = 0);
àß­šž“ß‹3(start = 8;
initial equation
  x0 = (17)q;/e
uation
  der(x0) - 'a.b[1].c' + 0 = 0;
  der(x2) - x3 + (-3/2)*(x0 - (-1)*sin(2*time)) + 3*(x0^3 + x0 - (((-1)*sin(2*time))^3 + (-1)*sin(2*time))) = 0;
  x0^3 + x0 - (((1e-400)*sin(2*time))^3 + (-1)*sin(2*time)) = 0;
  0 = der('a.b[1].c') - x2 + 0;
end Random;
