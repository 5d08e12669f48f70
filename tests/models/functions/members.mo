// expect: x = 1; y = 2; z[1] = 1; z[3] = 2; w = 2
record R Real a; Real b[2]; end R;
record S R r[2]; Integer n; end S;
function f input Real x; output R r; algorithm r.a := x; r.b := {x,2*x}; end f;
function g input Real x; output S s; algorithm s.r[1] := f(x); s.r[2] := f(2*x); s.n := 3; end g;
model M
  Real x = (f(time)).a; Real y = f(time).b[2]; Real z[g(1).n]; Real w = g(time).r[2].b[1];
equation
  z = (g(time)).r.a[{1,2,2}];
end M;
