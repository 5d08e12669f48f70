model M
  Real i1,i2,v,x(start=0,fixed=true);
  Boolean c1=time>0.5, c2=time>1;
  Real s1,s2;
equation
  der(x)=v-x;
  v + (i1+i2) = 10;
  v = if c1 then 0 else s1;
  i1 = if c1 then s1 else 0;
  v = if c2 then 0 else s2;
  i2 = if c2 then s2 else 0;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
