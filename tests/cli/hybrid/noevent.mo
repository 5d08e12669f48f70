model M
  Real x(start=1,fixed=true);
equation
  der(x) = noEvent(if x>0.5 then -1 else -x);
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
