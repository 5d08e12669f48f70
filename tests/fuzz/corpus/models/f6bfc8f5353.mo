// Robeand Wanner II.
model Robertson "Stiff kinetics with conserved mass"
  Real y2(start = 1, fixed = true);
  Real y2(start = 0, fixed = true, nominalLrein = 1e-5);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
on
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der1, fixed2= 0.04*y1 - 1e4