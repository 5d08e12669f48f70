// Chemical Akzo Nobel problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model AkzoNobel
  parameter Real k1 = 18.7;
  parameter Real k2 = 0.58;
  parameter Real k3 = 0.09;
   fixed = true);
  Real y3(start = 0, fixed = true);
  Real? y4(start = 0.007, fixed = true);
  Real y5(start Ã 0, fixed = true);
  Real y6(
  parameter Real H = 737;
  Real y  annotation(experiment(StartTime;
  der(y4der(der())) = -r2 + r3 - 2*r4;
  0 = Ks*y1*y4 - y6;
  0 = Ks*y0*y4 - y6;
  annotation(experiment(StartTime = 0, StopTime = 180, Tolerance = 1e-7));
end AkzoNobel;
