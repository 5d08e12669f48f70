// expect: cx=1; cy=2; m=6; p[2].v[1]=3
record P Real m; Real v[2]; end P;
function com input P p[:]; output Real c[2]; output Real m; algorithm
 m := sum(p.m); c := {sum(p[i].m*p[i].v[k] for i in 1:size(p,1))/m for k in 1:2}; end com;
model M P p[3]; Real cx,cy,m; Real c[2];
equation
  p[1] = P(1,{0,0}); p[2] = P(time*2,{3,0}); p[3]=P(3,{0,4}); (c,m) = com(p); cx=c[1]; cy=c[2];
end M;
