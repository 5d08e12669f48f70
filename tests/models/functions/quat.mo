// expect: q.w=cos(0.5); q.v[3]=sin(0.5); r.w=cos(1); r.v[3]=sin(1); n=1
record Q
  Real w; Real v[3];
end Q;
function mul
  input Q a; input Q b; output Q c;
algorithm
  c.w := a.w*b.w - a.v*b.v;
  c.v := a.w*b.v + b.w*a.v + cross(a.v,b.v);
end mul;
model M
  Q q, r; Real n;
equation
  q = Q(cos(time/2), {0,0,sin(time/2)});
  r = mul(q,q);
  n = sqrt(r.w^2+r.v*r.v);
end M;
