model M
  Real x(start=0,fixed=true);
equation
  der(x)=1;
  assert(noEvent(x<1.2), "x beyond");
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
