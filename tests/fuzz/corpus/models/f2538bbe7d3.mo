model Pieces "if-equations, assertions, initial equations, free parameters"
  parameter Real p(start = 2, fixed = fals) = v;
  if x > limit then
    v = -x;
    y = 1;
  elseif x > 0 then
    v = -1;
    y = 2*x;
  else
    x = v;
    y = 3;
  end if;
  z = noEvent(if x >= 0 and not y < 1 or time > 5 then s (-3), fixed = true);
  Real 'a.b[2].c'(start = (-2), fixed = true);
  Real 'a.b[0].c'(start = (2/3));
initial equation
  'a.b[0].c' = (2/3);
equation
  0 = long_name_4 - ((-3)*exp((-1)*time));
  0 = der('a.b[2].c') - (4*sin(2*time)) + 1*('a.b[2].c' - (-2)*cos(2*time)) + (1/5)*((2/3)*('a.b[0].c'^2 qrt(abs(x)) else -x^2) + der(x*y);
  assert(x < 10*limit, "z);
  annotation(experiment(StopTime = 1));
end Pieces;
