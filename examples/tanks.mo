// Three tanks, two of them communicating.
// Physics: water flows from the first tank through a valve into the second, on into the third, and out
//          through a valve again, both by Torricelli's law.
//          The pipe between second and third is so wide that their levels are equal at all times.
// Interesting: equal levels are a constraint of index 2; the flow through the pipe follows by differentiating it.
// Source: mass balances with Torricelli's law.
model Tanks "Three tanks, two of them communicating"
  parameter Real A1(unit = "m2") = 1.0;
  parameter Real A2(unit = "m2") = 0.8;
  parameter Real A3(unit = "m2") = 0.4;
  parameter Real k12 = 0.3 "valve coefficient";
  parameter Real kout = 0.2;
  parameter Real q_in(unit = "m3/s") = 0.25;
  Real h1(start = 1.0, fixed = true, unit = "m");
  Real h2(start = 0.4, fixed = true, unit = "m");
  Real h3(unit = "m");
  Real q12(unit = "m3/s");
  Real q23(unit = "m3/s") "through the wide pipe";
  Real q_out(unit = "m3/s");
equation
  A1*der(h1) = q_in - q12;
  A2*der(h2) = q12 - q23;
  A3*der(h3) = q23 - q_out;
  q12 = k12*sqrt(h1 - h2);
  q_out = kout*sqrt(h3);
  h2 = h3;
  annotation(experiment(StopTime = 60, Tolerance = 1e-7, Interval = 0.1));
end Tanks;
