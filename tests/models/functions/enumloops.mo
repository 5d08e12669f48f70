// expect: t = 1518.0; u[1] = 10; u[2] = 100; u[3] = 1; v = 113; b[2] = 6; k = 3; r.amount[2] = 100
type Color = enumeration(red, green, blue);
type Size = enumeration(small, large);
record Paint Color c; Real amount[Size]; end Paint;
function weight input Color c; output Real w;
algorithm
  w := if c == Color.red then 1 elseif c == Color.green then 10 else 100;
end weight;
function total input Real a[Color, Size]; output Real s;
algorithm
  s := 0;
  for c in Color loop for z in Size.small:Size.large loop s := s + weight(c)*Integer(z)*a[c, z]; end for; end for;
end total;
function next input Color c; output Color n;
algorithm n := if c == Color.blue then Color.red else Color(Integer(c) + 1); end next;
model M
  parameter Color p = Color.green;
  Real a[Color, Size]; Real t; Real u[Color]; Real v; Real b[Boolean]; Integer k; Color e; Paint r(c = Color.blue);
equation
  for c in Color loop for z in Size loop a[c, z] = Integer(c) + time*Integer(z); end for; end for;
  t = total(a);
  u = {weight(next(c)) for c in Color};
  v = u[p] + u[Color.blue] + sum(a[:, Size.large]);
  b[false] = 2; b[true] = 3*b[false];
  e = if time > 0.25 then next(p) else p;
  k = Integer(e);
  r.amount[Size.small] = 4; r.amount[Size.large] = weight(r.c);
end M;
