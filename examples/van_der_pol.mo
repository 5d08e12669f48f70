// Van der Pol's oscillator, stiff.
// Physics: an oscillator with negative damping at small and positive damping at large amplitudes.
// Interesting: mu = 1000 makes long slow phases and fast jumps; an ordinary differential equation, index 0.
// Source: Hairer and Wanner, Solving Ordinary Differential Equations II.
model VanDerPol "Stiff van der Pol oscillator"
  parameter Real mu = 1000;
  Real y1(start = 2, fixed = true);
  Real y2(start = 0, fixed = true);
equation
  der(y1) = y2;
  der(y2) = mu*(1 - y1^2)*y2 - y1;
  annotation(experiment(StopTime = 2000, Tolerance = 1e-7, Interval = 4));
end VanDerPol;
