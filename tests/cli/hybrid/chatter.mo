model M
  Real x(start=0.1,fixed=true);
equation
  der(x) = if x>0 then -1 else 1;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
