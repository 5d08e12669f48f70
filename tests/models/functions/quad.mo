// expect: q=1-cos(1); h=1/3; k=2*(1-cos(1)); m=exp(1)-1
partial function Scalar input Real x; output Real y; end Scalar;
function quad
  input Scalar f; input Real a; input Real b; input Integer n=40; output Real s;
protected Real h=(b-a)/n;
algorithm
  s := f(a)+f(b);
  for i in 1:n-1 loop s := s + (if mod(i,2)==1 then 4 else 2)*f(a+i*h); end for;
  s := s*h/3;
end quad;
function sinus extends Scalar; algorithm y := sin(x); end sinus;
function pow extends Scalar; input Real n=1; algorithm y := x^n; end pow;
function scaled extends Scalar; input Real k; input Real w=1; algorithm y := k*sin(w*x); end scaled;
model M
  Real q,h,k,m; parameter Real kk=2;
equation
  q = quad(function sinus(), 0, time);
  h = quad(function pow(n=2), 0, time);
  k = quad(function scaled(k=kk), 0, time);
  m = quad(Modelica.Math.exp, 0, time, n=100);
end M;
