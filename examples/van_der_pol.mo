// Van der Pol's oscillator.
// Physics: a resonant circuit with a valve that feeds energy in at small amplitudes
//          and takes it out at large ones.
//          With mu = 1000 it rests for long and then jumps.
// Interesting: an ordinary differential equation, index 0, stiff between the jumps: nothing hidden, nothing to prove.
// Source: van der Pol 1926; Hairer and Wanner II.
model VanDerPol "Stiff van der Pol oscillator"
  parameter Real mu = 1000;
  Real y1(start = 2, fixed = true);
  Real y2(start = 0, fixed = true);
equation
  der(y1) = y2;
  der(y2) = mu*(1 - y1^2)*y2 - y1;
  annotation(experiment(StopTime = 2000, Tolerance = 1e-7, Interval = 4));
end VanDerPol;
