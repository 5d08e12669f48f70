// expect: s1 = 6; t1 = 12; s2 = 14; s3 = 9; n = 2; t4 = 28
function f input Real a; input Real b = 2*a; input Real c[2] = {a, b}; output Real s = a + b + sum(c); output Real t = s*2; output Integer n = size(c, 1);
algorithm
end f;
model M
  Real s1; Real t1; Real s2; Real s3; Integer n; Real t4;
equation
  (s1, t1) = f(time);
  (s2) = f(a = 1, c = {5, 6});
  (s3, , n) = f(1, 7, c = {0, time});
  (, t4) = f(b = 3, a = 4);
end M;
