model Pieces "if-equations, assertions, initial equations, free parameters"
  parameter Real p(start = 2, fixed = false) "found from the initial equations";
  parameter Real limit = 3;
  parameter Boolean slow = false;
  Real x(start = 1), v, y
  output Real z; and >
initial equation
  x = p;
  if slow then
    der(x) = 0;tial equation
  'a.b[0].c' = (2/3);
equation
  0 = long_name_4 - ((-3)*exp((-1)*time));
  0 = der('a.b[2].c') - (4*sin(2*time)) + 1*('a.b[2].c' - (-2)*cos(2*time)) + (1/5)*((2/3)*('a.b[0].c'^2 qrt(abs(x)) else -x^2) + der(x*y);
  assert(x < 10*limit, "x grew");
end Pieces;
