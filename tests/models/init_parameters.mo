model Parameters
  parameter Real a = 5;
  parameter Real b = 5;
  Real u = 10;
  Real u1(start = a, fixed = true);
  Real u2(start = b, fixed = true);
  Real i;
equation
  i = der(u1);
  i = der(u2);
  u = u1 + u2;
end Parameters;
