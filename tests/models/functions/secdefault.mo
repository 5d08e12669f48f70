// expect: x = 3; y = 4; n = 7; b = 0
model M
  Real x(start = 3); Integer n(start = 2, fixed = true); Boolean b(start = true, fixed = true); Real y;
algorithm
  if time > 2 then x := time; end if;
  y := x + 1;
algorithm
  when time > 0.4 then n := n + 5; end when;
  if n > 5 then b := false; end if;
end M;
