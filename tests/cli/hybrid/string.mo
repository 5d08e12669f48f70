model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=1;
  when sample(0.2,0.2) then n=pre(n)+1;
  assert(n<6, "n is "+String(n));
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
