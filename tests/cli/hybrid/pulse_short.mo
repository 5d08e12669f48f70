model M
  Real x(start=0,fixed=true);
equation
  der(x) = if time>1 and time<1.001 then 1000 else 0;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
