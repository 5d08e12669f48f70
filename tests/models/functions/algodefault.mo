// expect: y=3; z=7
model M
  Real y(start=3); Real z(start=2);
algorithm
  if time < 0.5 then y := 1; end if;
  if time > 0.5 then z := 7; end if;
end M;
