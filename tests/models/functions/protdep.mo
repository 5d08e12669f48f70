// expect: y=14
function f input Real x; output Real y; protected Real c=b+1; Real b=a*2; Real a=x+1;
  algorithm y := a+b+c+a; end f;
model M Real y=f(time)+1; end M;
