model M
  Real x(start=1,fixed=true);
equation
  der(x) = -smooth(1, if x>0.5 then x^2 else x-0.25);
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
