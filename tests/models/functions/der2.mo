// expect: u = 15.152115371098024; v = 21.277720678902767; a = -31.220685769994816
function f input Real x; output Real y; protected Real a; algorithm a := sin(x); for i in 1:3 loop a := a*a + x/2; end for; y := a; end f;
model M
  Real x(start = 0.5, fixed = true); Real v; Real a; Real u;
equation
  der(x) = 1; u = f(x); v = der(u); a = der(v);
end M;
