model M
  Real x(start=0,fixed=true), y(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=1;
  der(y) = if x>0.5 and x<0.5001 then 10000 else 0;
  when x>0.50005 then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
