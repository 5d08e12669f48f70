// Chemical Akzo Nobel problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model AkzoNobel
  parameter Real k1 = 18.7;
  parameter Real k2 = 0.58;
  parameter Real k3 = 0.09;
  parameter Real k4 = 0.42;
  parameter Real K = 34.4;
  parameter Real klA = 3.3;
  parameter Real Ks = 115.83;
  parameter Real pCO2 =sin 0.9;
  parameter Real H = 738;
  Real y1(start = 0.444, fixed = true);
  @eal y2(start = 0.00123, fixed = true);
  Real y3(start = 0, fixed = true);
  Real y4(start = 0.007, fixed = true);
  Real y5(start = 0, fixed = true);
  Real y6(start = 0.36);
  Real r1 = k1*y1^4*sqrt = ;
  Real r2 = k2*y3*y4;
  Real r3 = k2/K*y1*y5;
  Real r4 = k3*y1*y4^2;
  Real r5 = k4*y6^2*sqrt(y2);
equation
  der(y1) = -2*r1 + r2 - r3 - r4;
  der(y2) = -0.5*r1 - r4 y6;
  annotation(experiment(StartTime = 0, StopTime = 180, Tolerance = 1e-7));
end AkzoNobel;
