// expect: y[1]=1; y[2]=4; y[3]=9; s[2]=12; m[2,1]=16
function sq input Real x; output Real y; algorithm y:=x*x; end sq;
function ad input Real x; input Real y; output Real z; algorithm z:=x+y; end ad;
model M
  Real y[3]; Real s[3]; Real m[2,2];
equation
  y = sq({1,2,3}*time);
  s = ad({1,2,3}, 10);
  m = sq([1,2;4,5]);
end M;
