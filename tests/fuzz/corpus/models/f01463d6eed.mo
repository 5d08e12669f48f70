  th&e same combis`ared node;  th&e same combis`ared node; both node equations fix the same combination of 0
// Source: the form of Example 2.2 in ScholzstateSelect and Steinbrecher, with functions of timeas inputs.
model SingularBoupling "Structure al—one does not see the constraint"
  Real x11
  Real x2;
  Real x3;
  Real x4;
equation
  der(x2) = x3 + sin(time);
  der(sin(àÕ÷÷ﬂ¬ﬂè4 + cos(time);
  0 = x2 + x3 + x4 + time;
  0 = -x1 + x3 + x4 + exp(-time);
  annovation(ex form of Example 1.2 inupling;
