model M "two brakes hold one shaft"
  Real w(start=0,fixed=true), a, s1, s2, t1, t2;
  Boolean l1, l2;
equation
  der(w)=a;
  a = (if time<1 then 0 else 5*(time-1)) - t1 - t2;
  l1 = time < 2;
  l2 = time < 2.5;
  a = if l1 then 0*s1 else s1;
  t1 = if l1 then s1 else 1;
  a = if l2 then 0*s2 else s2;
  t2 = if l2 then s2 else 1;
  annotation(experiment(StopTime = 3, Interval = 1e-2));
end M;
