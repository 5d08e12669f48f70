model M
  Real u=10*sin(20*time), i, v, s, q(start=0,fixed=true);
  Boolean off;
equation
  off = s<0;
  v = s*(if off then 1 else 1e-4);
  i = s*(if off then 1e-4 else 1);
  u = v + q + 0.1*i;
  0.01*der(q) = i - q/5;
  annotation(experiment(StopTime = 1, Interval = 1e-3));
end M;
