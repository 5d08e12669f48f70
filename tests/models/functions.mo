package M
function sq
  input Real x;
  output Real y;
algorithm
  y := x*x;
end sq;
function powsum
  input Real x[:];
  input Integer p = 2;
  output Real s;
  output Integer n;
protected
  Real t = 0;
algorithm
  s := 0;
  n := size(x, 1);
  for i in 1:n loop
    t := 1;
    for k in 1:p loop
      t := t*x[i];
    end for;
    s := s + t;
  end for;
end powsum;
function sat
  input Real u;
  input Real lim = 1;
  output Real y;
algorithm
  if u > lim then
    y := lim;
    return;
  elseif u < -lim then
    y := -lim;
  else
    y := u;
  end if;
  y := y*1;
end sat;
record R
  Real a;
  Real b[2];
end R;
function mk
  input Real x;
  output R r;
algorithm
  r.a := x;
  r.b[1] := 2*x;
  r.b[2] := r.a + r.b[1];
end mk;
function quad
  input fn f;
  input Real a;
  output Real y;
algorithm
  y := f(a) + f(2*a);
end quad;
partial function fn
  input Real x;
  output Real y;
end fn;
function fact
  input Integer n;
  output Integer f;
algorithm
  f := if n <= 1 then 1 else n*fact(n - 1);
end fact;
function wh
  input Real x;
  output Real y;
protected
  Integer i = 0;
algorithm
  y := x;
  while i < 3 loop
    y := y/2;
    i := i + 1;
    if i == 2 then break; end if;
  end while;
end wh;
model M
  Real x(start=1, fixed=true);
  Real y, z, w, v[2], q, e;
  Real s; Integer n;
  parameter Integer f5 = fact(5);
  parameter Real p[:] = {1,2,3};
equation
  der(x) = -sq(x);
  y = powsum({x, 2, 3}, p=3);
  z = sat(x, lim = 0.5);
  (s, n) = powsum(p);
  w = x;
  v = sq({x, 3*x});
  q = quad(function sat(lim=2), x) + quad(sq, x);
  e = wh(x) + f5;
end M;
end M;
