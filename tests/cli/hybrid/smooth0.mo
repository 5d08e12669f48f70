model M
  Real x(start=1,fixed=true);
equation
  der(x) = -smooth(0, if x>0.5 then 0.5 else x);
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
