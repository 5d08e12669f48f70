// A generator through a fault.
// Physics: a synchronous generator feeds a strong grid; a short circuit lets no power out for 0.15 s.
// Interesting: two time events at exact times; the rotor angle swings and, if the fault lasts too long, runs away
//              (--set clear=1.5).
// Source: the classical swing equation, Kundur 1994, chapter 13.
model SwingFault "Swing equation with a short circuit"
  parameter Real H(unit = "s") = 3.5 "inertia";
  parameter Real D = 1 "damping";
  parameter Real Pm = 0.8 "mechanical power";
  parameter Real Pmax = 1.8;
  parameter Real start(unit = "s") = 1;
  parameter Real clear(unit = "s") = 1.15;
  parameter Real w0(unit = "rad/s") = 314.15926535897932;
  Real delta(unit = "rad", start = 0.46, fixed = false) "rotor angle";
  Real w(start = 0, fixed = true) "relative speed";
  Real Pe "electrical power";
initial equation
  Pm = Pmax*sin(delta);
equation
  der(delta) = w0*w;
  2*H*der(w) = Pm - Pe - D*w;
  Pe = if time >= start and time < clear then 0 else Pmax*sin(delta);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end SwingFault;
