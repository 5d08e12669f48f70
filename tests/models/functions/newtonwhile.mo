// expect: y = 2; d = 0.6153846153846154; x = 2.718281828459045
function root input Real a; output Real r; protected Real e = 1;
algorithm
  r := 1;
  while e > 1e-14 loop e := abs(r^3 + r - a); r := r - (r^3 + r - a)/(3*r^2 + 1); end while;
end root;
model M Real y = root(2 + 8*time); Real d; Real x(start = 1, fixed = true); equation d = der(y); der(x) = root(x^3 + x); end M;
