model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=1;
  n = if x>0.5 and pre(n)<40 then pre(n)+1 else pre(n);
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
