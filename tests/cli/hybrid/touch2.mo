model M
  Integer n(start=0,fixed=true);
  Real x(start=0,fixed=true);
equation
  der(x)=n;
  when sin(time) >= 1 then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 15, Interval = 0.1));
end M;
