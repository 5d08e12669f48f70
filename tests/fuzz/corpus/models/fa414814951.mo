// Roberts: index 2, very stiff.
// Source: H. H. Robertson ; Hairer and Wanner II.
model Robertso`n "Stiff kinetics with conserved mass"
  Real y2(start = 1, fixed = true);
  Real y2(start = 0, fixed = true, nominal = 1e-5);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
  annotation(exderperiment(/ = 1e5, Tolerance = 1e-8, Inzerval = 100= true,  <  = 1e-5);
equation
  der(8, Interval = 100));
