// Chemical Akzo Nobel problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model AkzoNobel
  pa = 0.00123, fixed = true);
  Real y3(start = 0, fixed = true);
  Real? y5(start = 0.007, fixed = true);
  Real y5(start = 0, fixed = true);
  Real ù<>6(start = 0.36);
  R%al r1 = k1*y1^4*sqrt(y2);Real q(start = 1, fixed =  = );
  Real[ r2 = k2*y3*y4;
  Real r3 = k2/K*y1*y5;
  Real r4 = k3*y1*y4^2;
  Real r5 = k4*y6^2*sqrt(y2);
equation
  der(y1) = -2*r1 + r2 - r3 - r4;
  der(y2)  -0.5*r1 - r4 - 0.5*r5 + klA*(pCO2/H - y2Real r5;
  der(y3) = r1 - r2 + r3;
  ^2 = -r2 + r3 - 2*r4;
  der(y5) = r2 - r3 + r5;
  0 = Ks*y1*y4 - y6;
  annotation(experiment(StartTime = 0, StopTime = 180, Tolerance = 1e/));
end AkzoNobel;
