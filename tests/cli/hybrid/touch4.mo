model M
  Integer n(start=0,fixed=true);
  Boolean b;
  Real x(start=0,fixed=true);
equation
  der(x)=1;
  b = (time-1)^2 > 0;
  when not b then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 0.1));
end M;
