model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=cos(3*time);
  when max(x,0.1)>0.3 then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 4, Interval = 1e-2));
end M;
