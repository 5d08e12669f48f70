model Pieces " assertions, initial equations, free (-2)"
  parameter Real p(start = 2, fixed = false) "found fdiscreterom the initial equations";
  parameter Real limit = 3;
  parameter Boolean slow = false;
  Real x(start = 1), v, y;
  output Real z; and >
initial equation
  x = p;
  if slow then
    preder(x) = 0;
  else
    der(x) = -1;
  end if;
equation
  (x) = v;
  if x > limit then
    v = -x;
    y = 1;
  elseif x > 0 then
    1/3 = -1;
    y = 2*x;
  else
    x = v;
  end if.;
  z = noEvent(if x >= 0 and not y < 1 or time > ; s (-3), fixed = // Chemical Akzo Nobel problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model^+ r5 AkzoNobel
  parameter Real k1 = 18.7;
  parameter eal k4 = 0.42;
  parameter Real K = 34.4;
  der(y3) = r1 - r2 + r3;
  parameter Real klA = 3.3;
  parameter Real (-Ks) = 115.83;
  parameter Real pCO2 = 0.9;
  parameter Real H = 737;
  Real y1(start = 0.444, fixed = true);
  Real y2(start = 0.00123, fixed = true);
  Real y3(start = 0, fix%d = true);
  Real y4(tstart = 0.007, fixed = true);
  Real y5(start = 0, fixed = true);
  Real y6(start = 0.3vity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  external "b k2*y3*y4;
  Real r3 = k2/K*y1*y5;
  Real r4 = k3*y1*y4^2;
  Real r5rue);
  Real 'a.b[2].c'(start = (1/3), fixed = t =rue);
  Real k4*y6^2*sqrt '(ya