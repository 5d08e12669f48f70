// expect: f = 6765; h = 31; g = 1389; r = 1
function isEven input Integer n; output Boolean b; algorithm b := if n == 0 then true else isOdd(n-1); end isEven;
function isOdd input Integer n; output Boolean b; algorithm b := if n == 0 then false else isEven(n-1); end isOdd;
function fibpair input Integer n; output Real a; output Real b; protected Real c; Real d;
algorithm
  if n == 0 then a := 0; b := 1; return; end if;
  (c, d) := fibpair(div(n, 2));
  a := c*(2*d - c); b := c*c + d*d;
  if mod(n, 2) == 1 then c := a; a := b; b := c + b; end if;
end fibpair;
function hanoi input Integer n; input Integer s = 1; input Integer t = 3; output Integer moves; output Integer sumOf;
protected Integer m1; Integer s1; Integer m2; Integer s2; Integer via = 6 - s - t;
algorithm
  if n == 0 then moves := 0; sumOf := 0; else
    (m1, s1) := hanoi(n-1, s, via); (m2, s2) := hanoi(n-1, via, t);
    moves := m1 + m2 + 1; sumOf := s1 + s2 + n*(s + 10*t);
  end if;
end hanoi;
model M
  Boolean e = isEven(10); Boolean o = isOdd(10); Real f; Integer h; Integer g; Real r;
equation
  f = fibpair(20)*time;
  (h, g) = hanoi(5);
  r = if isOdd(if time > 0.5 then 7 else 8) then 1 else 2;
end M;
