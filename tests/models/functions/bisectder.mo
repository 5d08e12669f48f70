// expect: y = 2; d = 0.6153846153846154; e = -0.34956759217114247
function root input Real a; output Real r; protected Real lo = 0; Real hi = 10; Real m;
algorithm
  r := a/2;
  for i in 1:60 loop r := r - (r^3 + r - a)/(3*r^2 + 1); end for;
  annotation(Inline = false);
end root;
model M Real y = root(2 + 8*time); Real d; Real e; equation d = der(y); e = der(d); end M;
