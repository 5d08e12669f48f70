// A linear system that structure overrates.
// Physics: none intended: five linear equations as they come from circuits,
//          with sums of derivatives that appear twice
//          and functions of time on the right.
// Interesting: the differentiation index is 1, the structural index 3: the Sigma-method succeeds
//              but counts more differentiations than are needed.
// Source: Reissig, Martinson, Barton 2000.
model ReissigMartinsonBarton
  Real y1;
  Real y2(start = 1, fixed = true);
  Real y3;
  Real y4(start = 1, fixed = true);
  Real y5;
equation
  der(y2) + der(y3) + y1 = sin(time);
  der(y2) + der(y3) + y2 = cos(time);
  der(y4) + der(y5) + y3 = exp(-time);
  der(y4) + der(y5) + y4 = time;
  y5 = sin(2*time);
  annotation(experiment(StartTime = 0, StopTime = 1, Tolerance = 1e-6));
end ReissigMartinsonBarton;
