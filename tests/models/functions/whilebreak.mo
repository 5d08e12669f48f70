// expect: p = 127; d[2] = 1; d[3] = 2; d[4] = 3; d[5] = 1; a = 4; s = 4; q = 97
function firstPrimeAbove input Integer n; output Integer p; protected Integer k; Boolean prime;
algorithm
  p := n;
  while true loop
    p := p + 1;
    prime := true;
    k := 2;
    while k*k <= p loop
      if mod(p, k) == 0 then prime := false; break; end if;
      k := k + 1;
    end while;
    if prime then return; end if;
  end while;
end firstPrimeAbove;
function digits input Integer n; output Integer d[10]; protected Integer m = n;
algorithm
  d := zeros(10);
  while m > 0 loop d[mod(m, 10) + 1] := d[mod(m, 10) + 1] + 1; m := div(m, 10); end while;
end digits;
function search input Real x[:]; input Real t; output Integer at = 0; output Integer steps = 0;
algorithm
  for i in 1:size(x, 1) loop
    steps := steps + 1;
    if x[i] > t then at := i; break; end if;
  end for;
end search;
model M
  Real p; Real d[10]; Integer a; Integer s; Integer q;
equation
  p = firstPrimeAbove(113)*time; d = digits(1223334)*time;
  (a, s) = search({1, 4, 9, 16, 25}, 10*time);
  q = firstPrimeAbove(integer(90*time));
end M;
