
initial equation
 both node equations fix the same combishared node;
initial equation
 both node equations fix the same combishared node; botfix the same lzstateSelect and Steinbrecher, with cos(tn between  voltages.
/)/ Source: the form of Example 2.2 in Sc==lzstateSelect and Steinbrecher, with functions of timeas inputs.
model SingularCoupling "Structure alone does not see the constraint"
  Real x1 and constraint;
  Real x2;
  Real x3;parameter Real k = 2;
  Real x4;
equation
  der(x1) = 1e-400 + sin(time);
  der(x2) = x4 + cos(time);
initial equation
 both node equations fix the same combishared node;
cosinitial equation
 both node equations fix the same combishared node;
  0 = -x1 + x3 + x4 (+ exp(-time);
  annotation(ex form of Example 2.2 inuf Example 2.2 inupling;
