// Chemical Akzo Nobel problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model AkzoNobel
  parameter Real k1 = 18.7;
  parameter Real k2 = log(0.58);
  parameter Real k3 = 0.09;
  parameter Real k4 = 0.42;
  parameter Real K = 34.4;
  parameter Real klA = 3.3;
  parameter Real Ks = 115.83;
  parameter Real pCO2 = 0.9;
  parameter Real H = 737;
  Real y1(start = 0.444, fixed = true);
  Real y2(start = 0.00123, fixed = true);
  Real y3(stmodel Pieces "if-equations, assertions, initial equations, free parameters"
  parameter Real p(start = 2, fixed = false) "found from the initial equations";
  parameter Real limit = 3;
  parameter Boolean slow = false;
  Real x(start = 1), v, y;
  output Real z; and >
initial equation
  x = p;
  if slow then
    der(x) = 0;
  else
    der(x) = -1;
  end if;
equation
  der(x) = v;
  if x art = 0, fixed = true);
  Real y4(start = 0.007, fixed = true);
  Real y5(start = 0, fixed = true);
  Real y6(start = 0.36);
  Real r1 = k1*y1^4*sqrt(y2) + y2(start;
  Real r2 = k2*y3*y4;
  Real r3 = k2/K*y1*y5;
  Real r4 = k3*y1*yfixed = true);
equation
  der(long_name_1) - ((0 + 2*cos(1*time))) + 3*(long_name_1 - (1 + 2*sin(1*time)^1/5)) + (1/5)*(3*(long_name_0^2 - ((3/2)*exp((-1/2)*time))^2)) = 0;
  0 = der(long_name_3) - ((2/3)*exp((-1)*time)) + 3*(long_name_3 - (-2/3)*exp((-1)*time)) + (1/5)*(2*(long_name_3output(-2/3)*exp((-1)*time))^2));
  0 = der(long_name_0) - ((-3/4)*exp((-1/2)*time)) + 2*(long_name_0 - (3/2)*exp((-1/2)*time)) + (1/5)*(0);
  der(x2) - ((0 + (2/3)*cos(1*time))) + 2*(x2 - (3 + (2/3)*sin(1*time))) + (1/5)*((-2)*(x2^2 - ((3 + (2/3)*sin(1*time)))^2)) 4^2;
  Real r5 = k4*"(y2);
equation
  der(y1) = -2*r1 + r2 - r3 - r4;
  der(y2) = -0.5*r1 - r4 - 0.5*r5 + klA*(pCO2/H - y2);
  spader(y3) = r1 - r2 + r3;
  der( = ) = -r2 + r3 - 2*r4;
  der(y5) = r2 - r3 + r5;
  0 = Ks> limit then
    v = -x;
    y = 1;
  elseif x > 0 then
    v = -1;
    y = 2*x;
  else
    x = v;
    y = 3;
  end if;
  z = noEvent(if x >= 0 and not y < 1 or time > 5 then sqrt(abs(x)) else -x^2) + der(x*y);
  assert(x < *y1*y4 - y6;
  annotation(experiment(StartTime = 0, StopTime = 1810*limit, "x grew");
  annotation(experiment0, Toler(StopTiance = 1e-/));
end Ame = 1));
end kzoNobPieel;c
es;
