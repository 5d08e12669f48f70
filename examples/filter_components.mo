// A low-pass filter of components of its own: connectors, a base class, connect.
// Physics: a sinusoidal voltage over a resistor and a capacitor, with a load beside the capacitor.
// Interesting: potentials are equal and currents sum to zero at every node; the components are counted one by one.
// Source: Kirchhoff's laws.
connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;

partial model TwoPins "what all components with two pins have"
  Pin p, n;
  Real v(unit = "V") "voltage over it";
  Real i(unit = "A") "current from p to n";
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
end TwoPins;

model Resistor
  extends TwoPins;
  parameter Real R(unit = "Ohm") = 1;
equation
  v = R*i;
end Resistor;

model Capacitor
  extends TwoPins;
  parameter Real C(unit = "F") = 1;
equation
  C*der(v) = i;
end Capacitor;

model SineSource
  extends TwoPins;
  parameter Real V(unit = "V") = 1;
  parameter Real w(unit = "rad/s") = 1;
equation
  v = V*sin(w*time);
end SineSource;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model FilterComponents "Low-pass filter with a load"
  SineSource source(V = 10, w = 20);
  Resistor series(R = 100), load(R = 1000);
  Capacitor capacitor(C = 0.001, v(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, series.p);
  connect(series.n, capacitor.p);
  connect(capacitor.p, load.p);
  connect(capacitor.n, load.n);
  connect(load.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8, Interval = 0.01));
end FilterComponents;
