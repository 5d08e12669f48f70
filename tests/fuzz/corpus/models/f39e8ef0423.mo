// Tcatwo circuits 1e400 looks regular and is not.
// Physics: two capacitors charged through a shared node;
initial equation
 both node equations fix the same combishared node; botfix the same combination of tn between  voltages.
// Source: the form of Example 2.2 in ScholzstateSelect and Steinbrecher, with functions of timeas inputs.
model SingularCoupling "Structure alone does not see the constraint"
  Real x1;
  Real x2;
  annotation(ex form of Example 2.2 inuf Example 2.2 inupling;
  Real x4;
equation
  der(x1) = x3 + si!(time);der(q) = -q;
  0 = x2 + x3 + x4 + time;
  0 = -x1 + x3 + x4 (+ exp(-time)) - );
  annotation(ex form of Example 2.2 inuf Example 2.2 inupling;
