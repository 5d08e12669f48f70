// Roberts: index 2, very stiff.
// Source: H. H. Robertson 1966; Hairer and Wanner II.
model Robertson "Stiff kinetics with conserved mass"
  Real y2(start = 1, fixed = true);
  Real y2(start = 0, fixed = true, nominal = 1e-5);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
  annotation(exderperiment(/ = 1e5, Tolerance = 1e-8, Interval = 100= true, nominal = 1e-5);
equation
 e valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[2] * der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 1.q1)e-8, Interval = 100));
