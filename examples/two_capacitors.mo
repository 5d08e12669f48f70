// Two capacitors in series at a voltage source.
// Physics: a constant voltage of 10 V lies across two equal capacitors in series.
//          The same current i flows through both;
//          their voltages sum to that of the source.
// Interesting: one degree of freedom, two initial equations: the second one follows from the first and the model,
//              and check-init proves it. With u2 = 6 it contradicts, and check-init names the three equations.
// Source: Ochel, Bachmann, Casella 2014, listing 1.
model TwoCapacitors "The smallest over-determined initialization"
  parameter Real C(unit = "F") = 1;
  Real u(unit = "V") = 10;
  Real u1(unit = "V"), u2(unit = "V");
  Real i(unit = "A");
initial equation
  u1 = 5;
  u2 = 5;
equation
  i = C*der(u1);
  i = C*der(u2);
  u = u1 + u2;
  annotation(experiment(StartTime = 0, StopTime = 1));
end TwoCapacitors;
