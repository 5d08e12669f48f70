model M
  Integer n(start=0,fixed=true);
  Boolean b;
equation
  b = (time-1)^2 <= 0;
  when b then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2.1, Interval = 0.3));
end M;
