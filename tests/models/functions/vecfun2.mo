// expect: d[1]=5; d[2]=11; n[2]=sqrt(2)
function norm input Real v[:]; output Real n=sqrt(v*v); algorithm end norm;
function dot2 input Real a[2]; input Real b[2]; output Real d=a*b; algorithm end dot2;
model M Real d[2]; Real n[2];
equation d = dot2([1,2;3,4], {1,2}*time); n = norm([3,4;1,1]); end M;
