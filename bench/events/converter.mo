model Converter "step-down converter; its switch compares a controller with a sawtooth"
  parameter Real L = 1e-3, C = 1e-4, R = 10, V = 24, period = 5e-5;
  Real i(start = 0, fixed = true) "current of the coil";
  Real u(start = 0, fixed = true) "voltage at the load";
  Real e(start = 0, fixed = true) "integral of the error";
  Real duty = 0.4 + 0.02*(12 - u) + 2*e "share of the period in which the switch is closed";
  Integer n = integer(time/period) "number of the period";
  Real saw = time/period - n;
  Boolean closed = saw < duty;
equation
  L*der(i) = (if closed then V else 0) - u;
  C*der(u) = i - u/R;
  der(e) = 12 - u;
  annotation(experiment(StopTime = 1));
end Converter;
