// expect: x = 1.4142135623730951; n = 6; s = 5; a[3] = 9; a[4] = 0
model M
  Real x; Integer n; Real s; Real a[4];
algorithm
  x := 1; n := 0;
  while n < 6 loop x := (x + 2*time/x)/2; n := n + 1; end while;
algorithm
  s := 0;
  for i in 1:4 loop
    a[i] := i^2*time;
    if i == 3 then break; end if;
    s := s + a[i];
  end for;
end M;
