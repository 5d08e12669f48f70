model M
  Real x(start=0,fixed=true);
  Boolean c[3]={x>0.2,x>0.6,time>1.1};
  Integer n(start=0,fixed=true);
equation
  der(x)=1;
  when c then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
