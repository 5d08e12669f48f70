// expect: y=3; z=2; w=-2; m=1; r=-1
function f input Integer a; input Integer b; output Real y; algorithm y := a/b; end f;
model M Real y,z,w,m,r; equation y = f(6,2); z = div(5,2); w = integer(-1.5); m = mod(-5,3);
  r = rem(-5,2); end M;
