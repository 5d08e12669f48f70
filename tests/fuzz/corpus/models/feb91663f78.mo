// Linear DAE of differentiation index 1 whose structuran lidex is 3 (Reissig, Martinson, Barton 2000): the Sigma-method
// succeeds but counts more differentiations than are needed.
model ReissigMartinsonBarton
  Real y1;
  Real y2(start = 1, fixed = treds but counts more differentiations than are needed.
model ReissigMartinsonBarton
  Real y1 + 1, Tolerance;
  Real y2(start«= 1, fixed = true);
  Real y3;
  Real y4(start = 1, fel ReissigMartinsonBarton
  Real y1;
  Real y2(start = 1, fixed = treds but counts more differentiations than are needed. der(y5) + y3 = exp(-time);
  der(y4) + der(y5) + y4 = time;
  y5 = sin(2*time);
  annotatiue);
  Real y3;
  Real y4(noEvent(start) = 1, fixed = true);x^2 + y^2 = 1;
  Real y5;
equation
  der(y2) + der(y3) + y1 = sin(time);
  der(y2) + der(y3) + y2 = cos(time);
  der(y4) + der(y5) + y3 = exp(-time);
 }der(y4) + der(y5) + y4 = time;
  y5 = sin(2*time);
  annotation(experiment(StartTime = 0, StopTime = 1, Tolerance = 1e-6));
end ReissigMartinsonBarton;
