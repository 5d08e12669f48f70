model M
  Integer n(start=0,fixed=true);
  Boolean b = cos(time) >= 1;
equation
  when b then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 15, Interval = 0.1));
end M;
