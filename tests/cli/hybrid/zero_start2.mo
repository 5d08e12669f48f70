model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
  Boolean a = x>=0, b = x<=0;
equation
  der(x)=-1;
  when not a then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
