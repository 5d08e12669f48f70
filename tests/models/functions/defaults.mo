// expect: a=6; b=12; c=103
function f
  input Real x; input Real y=2*x; input Real z=x+y; output Real r=x+y+z;
algorithm
end f;
model M
  Real a,b,c;
equation
  a = f(time);
  b = f(time, y=5);
  c = f(z=100, x=time, y=2);
end M;
