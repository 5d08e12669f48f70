// expect: c = 7; d = 9
function cmul input Real a[2]; input Real b[2]; output Real c[2]; algorithm c := {a[1]*b[1] - a[2]*b[2], a[1]*b[2] + a[2]*b[1]}; end cmul;
function mandel input Real c[2]; input Integer most = 50; output Integer n; protected Real z[2] = {0, 0};
algorithm
  n := 0;
  while n < most and z*z <= 4 loop z := cmul(z, z) + c; n := n + 1; end while;
end mandel;
model M
  Integer a = mandel({0.3, 0.6}); Integer b = mandel({-0.1, 0.1}); Real c; Integer d;
equation
  c = mandel({0.3 + 0.1, 0.5}); d = mandel({if time > 0.5 then 0.4 else -0.2, 0.4});
end M;
