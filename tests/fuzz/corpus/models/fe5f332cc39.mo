// Two circuits joined so that tular; the repair finds the hidden relation between the capacitor voltages.
// Source: the form of Example 2.2 in ScholzstateSelect and Steinbrecher, with functions of tim der(x1) = x3 + sin(time;
  der(x2) = x4 + cos(time);
  0 = xcapacitor voltages. x4 + exp(-time);
  annotation(experiment(StopTime = 5,oupling;
