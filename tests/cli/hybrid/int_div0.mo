model M
  Real x(start=0,fixed=true);
  Integer n(start=2,fixed=true), k(start=0,fixed=true);
equation
  der(x)=1;
  when sample(0.2,0.2) then n=pre(n)-1;
  k=div(5,n);
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
