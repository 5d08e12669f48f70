package M
record P
  Real x;
  Real y(unit = "m");
end P;
record R
  Real a(start = 3);
  P p;
  Real b[2];
end R;
function norm
  input P p;
  output Real n;
algorithm
  n := sqrt(p.x^2 + p.y^2);
end norm;
function shift
  input R r;
  input Real d = 1;
  output R s = r;
algorithm
  s.p.x := r.p.x + d;
  s.b := 2*s.b;
end shift;
model M
  R r(a(start = 1, fixed = true), p(x = time));
  R s;
  P q[2](x = {time, 2*time});
  parameter P c = P(3, 4);
  parameter P d(x = 1, y = c.y);
  Real n, m;
  Real qx[2] = q.x;
equation
  der(r.a) = -r.a;
  r.p.y = 2;
  r.b = {r.a, 1};
  s = shift(r);
  n = norm(c) + norm(r.p);
  for i in 1:2 loop
    q[i].y = i*r.a;
  end for;
  m = norm(q[2]) + d.y;
end M;
end M;
