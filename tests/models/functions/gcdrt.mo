// expect: n = 60; g = 30; u = 12
function gcd input Integer a; input Integer b; output Integer g; protected Integer x = a; Integer y = b; Integer t;
algorithm
  while y <> 0 loop t := mod(x, y); x := y; y := t; end while;
  g := x;
end gcd;
model M
  Integer n(start = 12, fixed = true); Integer g = gcd(n, 90); Real u = gcd(84, 36);
equation
  when sample(0.25, 0.25) then n = pre(n) + 12; end when;
end M;
