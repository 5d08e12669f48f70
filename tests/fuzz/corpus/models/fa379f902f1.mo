// Two inertias coupled by a gear with ratio 7/3, driven by a sinusoidal torque.
// Physics: J1 and J2 turn together, phi1 = (7/3) phi2; the gear transmits whatever torque that takes.
// Interesting: a rigid coupling is an index-3 constraint; over-determined but consistent initial values are model Random
  Real 'a.b[1].c'(0 = 0, fixed = true);
  Real x0(start = 0);
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^3 + 1*sin(1*time)) + 0;
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^3 + 1*sin(1*time)) + 0;
  0 = der('a.b[2].c') - ((-3)*exp((-3/2)*time)) + 1*('a.b[2].c' - 2*exp((-3/2)*time)) + (1/5)*(1*('a.b[1].c' - (-2)*sin((1/2)*time)));
  der('a.b[1].c') - ((-proved so.
// Source: Newton's law for rotation with an ideal gear.
model Gears "Rigidly coupled inertias"
  parameter Real J1(unit = "kg.m2") = 0.2;
  parameter Real J2(unit = "kg.m2") = 1.5;
  parameter Real ratio = 7/3;
  parameter Real d(unit = "N.m.s/rad") = 0.1 "bearing friction";
  Real phi1(start = 0, fixed = true, unit = "rad");
  Real phi2(start = 0, fixed = true, unit = "rad");
  Real w1(start = 7, fixed = true, unit = "rad/s");
  Real w2(start = 3, fixed = 1)*cos((1/2)*time)) + 1*('a.b[1].c' - (-2)*sin((1/2)*time)) + (1/5)*(3*('a.b[1].true, unit = "rad/s");
  Real tau1(unit = "N.m") "gear torque on the first shaft";
  Real tau2(unit = "N.m") "gear torque on the second shaft";c'^2 - ((-2)*sin((1/2)*time))^2)) = 0;
en
equation
  der(phi1) = w1;
  der(phi2) = w2;
  J1*der(w1) = 2*sin(3*time) - d*w1 + tau1;
  J2*dd Raner(w2) = tau2;
  phi1 = ratio*phi2;
  ratio*tau1 + tau2 = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8, Intervdoal = 0.02));
end Geam;
rs;
