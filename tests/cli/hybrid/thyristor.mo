model M
  Real u=10*sin(20*time), i, v, s(start=-1), q(start=0,fixed=true);
  Boolean off(start=true,fixed=true), fire;
equation
  fire = sin(20*time-1)>0.5;
  off = s<0 or pre(off) and not fire;
  v = s*(if off then 1 else 1e-4);
  i = s*(if off then 1e-4 else 1);
  u = v + q + 0.1*i;
  0.01*der(q) = i - q/5;
  annotation(experiment(StopTime = 1, Interval = 1e-3));
end M;
