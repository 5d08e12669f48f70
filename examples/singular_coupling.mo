// Two circuits whose coupling the structure does not see.
// Physics: two capacitors are charged through a node that they share;
//          two balances of currents at that node fix the same combination of them,
//          so that they also say something about the sources.
// Interesting: every equation has a variable to give, yet the Sigma-Jacobian is singular; the repair finds the relation
//              that is hidden between the two, and that nothing is left to choose at the start.
// Source: the form of Example 2.2 in Scholz and Steinbrecher, with functions of time as inputs.
model SingularCoupling "Structure alone does not see the constraint"
  Real x1;
  Real x2;
  Real x3;
  Real x4;
equation
  der(x1) = x3 + sin(time);
  der(x2) = x4 + cos(time);
  0 = x2 + x3 + x4 + time;
  0 = -x1 + x3 + x4 + exp(-time);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01));
end SingularCoupling;
