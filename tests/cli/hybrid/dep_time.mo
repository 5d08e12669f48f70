model M
  discrete Real next(start=0.3,fixed=true);
  Integer n(start=0,fixed=true);
  Real x(start=0,fixed=true);
equation
  der(x)=n;
  when time >= pre(next) then n=pre(n)+1;
  next = pre(next)*1.5;
  end when;
  annotation(experiment(StopTime = 3, Interval = 1e-2));
end M;
