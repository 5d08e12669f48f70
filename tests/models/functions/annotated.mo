// expect: a = 2.2954422037028777; b = -0.6271664409424416; c = -14.175352162908222
function f input Real x; input Real p; output Real y;
algorithm y := p*x^3;
  annotation(Inline = false, derivative(zeroDerivative = p) = f_d);
end f;
function f_d input Real x; input Real p; input Real dx; output Real y;
algorithm y := 3*p*x^2*dx;
  annotation(Inline = false, derivative(order = 2, zeroDerivative = p) = f_dd);
end f_d;
function f_dd input Real x; input Real p; input Real dx; input Real ddx; output Real y;
algorithm y := 6*p*x*dx^2 + 3*p*x^2*ddx;
  annotation(Inline = false, derivative(order = 3, zeroDerivative = p) = f_ddd);
end f_dd;
function f_ddd input Real x; input Real p; input Real dx; input Real ddx; input Real dddx; output Real y;
algorithm y := 6*p*dx^3 + 18*p*x*dx*ddx + 3*p*x^2*dddx; annotation(Inline = false);
end f_ddd;
model M
  parameter Real p = 2; Real x = sin(time); Real u = f(x, p); Real a; Real b; Real c;
equation
  a = der(u); b = der(a); c = der(b);
end M;
