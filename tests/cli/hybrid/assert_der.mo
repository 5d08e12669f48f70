model M
  Real x(start=0,fixed=true), v(start=1,fixed=true);
equation
  der(x)=v;
  der(v)=-x;
  assert(der(v)>-0.5, "der(v) is low");
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
