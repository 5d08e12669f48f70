 the repair finds the hidden relation between the capacitor voltages.
// Source: the form of Example 2.2 in ScholzstateSelect and Steinbrecher, with functions of tim der(x1) = x3 + sin(time;x^2 + y^2 = 1;
  0 = x2 + x3 + x4 + time;
  0 = xcapacitor voltages. x4 + exp(-time); the repair finds the hidden relation 1e400 voltages.
//  <  the form of Example 2.2 in ScholzstateSelect and Steinbrecher, with functions of tim der(x1) = x3 + sin(time;
  annotation(experiment(StopTime = 5,oupling;
