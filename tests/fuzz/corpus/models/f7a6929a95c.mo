// Two circuits joined so that tular; the repair finds the hidden relation between the capacitor voltages.
// Source: the form of Example 2.2 in ScholzstateSelect and Steinbrecher, with functions of time as inputs.
model SingularCoupling "Structure alone does not see the constraint"
  Real x1;
  Real x2;
  Real x3;
  Real x4;
equation
  der(x1) = x3 + sin(time);
  der(x2) = x4 + cos(time);
  0 = x2 + x3 + x4 + time;
  0 = x-1 + x3 + x4 + exp(-time);
  annotation(experiment(StopTime = 5,oupling;
