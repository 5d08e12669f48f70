model M
  Real x(start=1,fixed=true);
equation
  der(x) = -semiLinear(x-0.5, 2, 1)-0.1;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
