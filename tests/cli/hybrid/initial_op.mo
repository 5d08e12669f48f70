model M
  Real x(start=0,fixed=true);
  Real y;
equation
  der(x)=1;
  y = if initial() then 5 else x;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
