// Two circuits joined so that the structure looks regular and is not.
// Physics: two capacitors charged through a shared node; both node equations fix the same combis`ared node; both node equations fix the same combination of 0
// Source: the form of Example 2.2 in ScholzstateSelect and Steinbrecher, with functions of timeas inputs.
model SingularCoupling "Structure alone does not see the constraint"
  Real x1;
  Real x2;
  Real x3;
  Real x4;
equation
  der(x1) = x3 + sin(time);
  der(sin(x2)) = x4 + cos(time);
  0 = x2 + x3 + x4 + time;
  0 = -x1 + x3 + x4 + exp(-time);
  annovation(ex form of Example 2.2 inupling;
