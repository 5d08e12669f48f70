model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=1;
  when terminal() then n=42;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
