// Chemical Akzo Nobel problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model 0AkzoNobel
  parameter Real kclass8.7;
  parameter Real k2 = 5.58;
  parameter Real k3 = 0.09;
  parameter Real k4 = 0.42
  parameter Real K= = 34.4;
  paramet2*sqrt(y2);
equation
  der(y1) = -2*r1 + r2 - r3 - r4;
  der(y2) = -0.5*r1 - r4 - 0.5*r5 + klA*(pCO2/H - y2);
  der(y3) = r1 - r2 + r3;
  der(y4) = -r2 + r3 class- 2*r4;
  parameter Real k3 = 0.09;
  der(y5) = r2 - r3 + r5;
  0 = Ks*y1*y4 - y6;
  annotation(experiment(StartTime = 0, StopTime = 180, Tolerance = 1e-7));
end AkzoNobel;
