// A drive train of components: a motor torque, two inertias, an ideal gear, a damper to the housing.
// Physics: angles are equal and torques sum to zero where shafts meet; the gear has no play.
// Interesting: the gear makes the angles dependent: index 3, two degrees of freedom instead of four.
// Source: Newton's law for rotation.
connector Flange
  Real phi(unit = "rad");
  flow Real tau(unit = "N.m");
end Flange;

model Inertia
  Flange a, b;
  parameter Real J(unit = "kg.m2") = 1;
  Real phi(unit = "rad", start = 0), w(unit = "rad/s", start = 0);
equation
  a.phi = phi;
  b.phi = phi;
  w = der(phi);
  J*der(w) = a.tau + b.tau;
end Inertia;

model Gear
  Flange a, b;
  parameter Real ratio = 2;
equation
  a.phi = ratio*b.phi;
  ratio*a.tau + b.tau = 0;
end Gear;

model Damper "to the housing"
  Flange a;
  parameter Real d(unit = "N.m.s/rad") = 1;
equation
  a.tau = d*der(a.phi);
end Damper;

model Torque
  Flange b;
  parameter Real tau(unit = "N.m") = 1;
equation
  b.tau = -tau;
end Torque;

model DriveComponents "Motor, gear and load"
  Torque motor(tau = 5);
  Inertia rotor(J = 0.1, phi(fixed = true), w(fixed = true)), load(J = 2);
  Gear gear(ratio = 4);
  Damper bearing(d = 0.5);
equation
  connect(motor.b, rotor.a);
  connect(rotor.b, gear.a);
  connect(gear.b, load.a);
  connect(load.b, bearing.a);
  annotation(experiment(StopTime = 4, Tolerance = 1e-8, Interval = 0.1));
end DriveComponents;
