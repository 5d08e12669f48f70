// expect: x[2]=20; s=60; o=3; g=20; z=2
type E = enumeration(a,b,c);
function f input E e; output Real y; algorithm if e==E.b then y:=20; elseif e<E.b then y:=10;
  else y:=30; end if; end f;
model M
  Real x[E]; Real s; Real o; Real g; Real z; parameter E p=E.b;
equation
  for e in E loop x[e] = f(e)*time; end for;
  s = sum(f(e) for e in E);
  o = Integer(E.c);
  g = x[p];
  z = sum(if e > E.a then 1 else 0 for e in E.a:E.c);
end M;
