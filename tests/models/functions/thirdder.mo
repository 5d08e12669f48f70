// expect: a = -0.43915646710331446; b = 0.1823052897050733; c = 2.160945049386695; d = -7.076899446045992
function f input Real x; output Real y; protected Real s;
algorithm
  s := x^2; y := x*exp(-s);
  annotation(Inline = false);
end f;
model M
  Real x = time + 0.3; Real u = f(x); Real a; Real b; Real c; Real d;
equation
  a = der(u); b = der(a); c = der(b); d = der(c);
end M;
