// expect: y = 73; z = 1
function f input Real u; output Real y; output Real z;
  constant Real d = 3; constant Real v[2] = {2*d, 1}; constant Q q = Q(4, d);
protected
  record Q Real a; Real b; end Q;
  function g input Real a; output Real b; protected Real d = 5; Real w[size(v,1)] = v; algorithm b := v[1]*d*a + 3*q.b + q.a*v[2] + sum(w)*d - 5; end g;
algorithm y := g(u); z := v[2]; end f;
model nestedshadow Real y, z; equation (y, z) = f(time); end nestedshadow;
