model A
  Real x(start=1, fixed=true), y, z(start=7), v[3];
  parameter Integer n = 3;
equation
  der(x) = -x;
algorithm
  y := 0;
  for i in 1:n loop
    v[i] := i*x;
    y := y + v[i];
    if y > 100 then break; end if;
  end for;
  if x > 0.5 then
    z := y;
  end if;
  y := 2*y;
end A;
