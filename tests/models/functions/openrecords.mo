// expect: a = 9; b = 3; c = 4; d = 15; n = 2
record R Real y[:]; Integer k; end R;
record S R r; Real w; end S;
function f input Integer n; input Real u; output R r; algorithm r.k := n; r.y := fill(u, n); r.y[2] := 2*u; if u > 0.5 then r.y := {3*u, 4*u}; else r.y := {u, u}; end if; r.y := cat(1, r.y, {2*u}); end f;
function g input Real u; output S s; output Integer n; protected R q; algorithm s.w := u; s.r.y := {u, 2*u, 3*u}; s.r := f(4, u); q := R({4*u, 6*u}, 2); q.y := cat(1, q.y, {5*u}); s.w := sum(q.y); n := q.k; end g;
function h input S s; output Real a; output Real b; output Real c; output Real d; algorithm a := sum(s.r.y); b := s.r.y[1]; c := s.r.y[2]; d := s.w; end h;
function k input Real u; output Real a; output Real b; output Real c; output Real d; output Integer n; protected S s; algorithm (s, n) := g(u); (a,b,c,d) := h(s); end k;
model openrecords Real a,b,c,d; Integer n; equation (a,b,c,d,n) = k(time); end openrecords;
