// Two inertias joined by a gear.
// Physics: an inertia is driven by a sinusoidal torque and turns a second one through a gear of ratio 7/3.
//          Bearing friction slows both.
//          The gear has no play: it transmits whatever torque keeps phi1 = (7/3)*phi2.
// Interesting: a rigid coupling is a constraint of index 3; four fixed start values for two degrees of freedom
//              are proved to be consistent.
// Source: Newton's law for rotation with an ideal gear.
model Gears "Rigidly coupled inertias"
  parameter Real J1(unit = "kg.m2") = 0.2;
  parameter Real J2(unit = "kg.m2") = 1.5;
  parameter Real ratio = 7/3;
  parameter Real d(unit = "N.m.s/rad") = 0.1 "bearing friction";
  Real phi1(start = 0, fixed = true, unit = "rad");
  Real phi2(start = 0, fixed = true, unit = "rad");
  Real w1(start = 7, fixed = true, unit = "rad/s");
  Real w2(start = 3, fixed = true, unit = "rad/s");
  Real tau1(unit = "N.m") "gear torque on the first shaft";
  Real tau2(unit = "N.m") "gear torque on the second shaft";
equation
  der(phi1) = w1;
  der(phi2) = w2;
  J1*der(w1) = 2*sin(3*time) - d*w1 + tau1;
  J2*der(w2) = tau2;
  phi1 = ratio*phi2;
  ratio*tau1 + tau2 = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02));
end Gears;
