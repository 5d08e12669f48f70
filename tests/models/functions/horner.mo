// expect: p=1+2*2+3*4+4*8; q=2+6*2+12*4
function horner
  input Real c[:]; input Real x; output Real y=0;
algorithm
  for i in size(c,1):-1:1 loop y := y*x + c[i]; end for;
end horner;
function dcoef
  input Real c[:]; output Real d[size(c,1)-1];
algorithm
  d := {i*c[i+1] for i in 1:size(c,1)-1};
end dcoef;
model M
  Real p, q;
  parameter Real c[4]={1,2,3,4};
equation
  p = horner(c, 2*time);
  q = horner(dcoef(c), 2*time);
end M;
