model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=n;
  when {sin(40*time)>0.999, sin(37*time)>0.9999} then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
