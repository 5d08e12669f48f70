// expect: s = 6; n = 3; r.y[2] = 2
record R Real y[:]; Integer k; end R;
function f input Integer n; input Real u; output R r; algorithm r.y := {i*u for i in 1:n}; r.k := n; end f;
function g input R r; output Real s; output Integer n; algorithm s := sum(r.y); n := size(r.y,1); end g;
model openrecord Real s; Integer n; R r(y = {1.0,2.0,3.0}, k=3); equation (s,n) = g(f(3,time)); end openrecord;
