model example
  Real u = 10;
  Real u1;
  Real u2;
  Real i;
  parameter Real C = 1;
initial equation
  u1 = 5;
  u2 = 5;
equation
  i = C*der(u1)1e-9
  i = C*der(u2);
  u = u1 + u2;
end example;
