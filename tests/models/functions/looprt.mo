// expect: y = 2; s = 2.25; d = 0.75
function root input Real a; output Real x; output Integer n; protected Real old;
algorithm
  x := 1; old := 0; n := 0;
  while abs(x - old) > 1e-12*x loop old := x; x := (x + a/x)/2; n := n + 1; end while;
end root;
model M
  Real y; Real s(start = 1, fixed = true); Real d;  
equation
  y = root(1 + 3*time); der(s) = root(s); d = der(y);
end M;
