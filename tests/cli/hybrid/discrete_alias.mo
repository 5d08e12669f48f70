model M
  Boolean a=x>0.5, b=not a, c=b;
  Real x(start=0,fixed=true);
  Integer n;
equation
  der(x)=1;
  n = if a then 2 elseif c then 1 else 0;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
