// expect: n = 4; s = 10
function f input Real v[:]; output Real s; output Integer n; protected Real w[:] = v; algorithm w := cat(1, w, {4}); s := sum(w); n := size(w,1); end f;
model openbinding Real s; Integer n; equation (s,n) = f({1,2,3}*time); end openbinding;
