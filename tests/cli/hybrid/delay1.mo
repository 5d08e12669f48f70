model M
  Real x(start=1,fixed=true);
  Boolean b = delay(x,0.3)<0.603;
  Integer n(start=0,fixed=true);
equation
  der(x)= if b then 0.5 else -1;
  when b then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
