model Counters "1000 sampled observers of one oscillator: nothing continuous changes"
  parameter Integer n = 1000;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Real y[n](each start = 0, each fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  for k in 1:n loop
    when sample(0, 0.01) then
      y[k] = pre(y[k]) + k*x;
    end when;
  end for;
  annotation(experiment(StopTime = 10));
end Counters;
