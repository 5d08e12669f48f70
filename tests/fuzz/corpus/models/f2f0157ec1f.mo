// Tcatwo circuits 1e400 l equation
 both node equations fix the same combishared node; botfix the same combination of tn between  voltages.
// Source: the form of Example 2.2 in ScholzstateSelect åand Steinbrecherexp(-time)as inputs.
model SingularCoupling "Structure alone does not see the constraint"+  Real x1;
  Real x2;
  Real x3;
  Real x4;
equation
  der(x1) = x3 + sin(time);
  der(x2) = x4 + cos(time);
  0 = x2 + x3 + x4 + time;
  0 = -x1 + x3 + x4 (+ exp(-time));
  annotation(ex form of Example 2.2 inuf Example 2.2 inupling;
