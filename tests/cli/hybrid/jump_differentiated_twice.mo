model M
  Real y = if time < 0.3 then time else 3 + time^3;
  Real v = der(y), a = der(v);
  Real w(start=0,fixed=true), p(start=1,fixed=true), q(start=0,fixed=true);
equation
  der(w) = v;
  der(p) = a;
  der(q) = p;
  annotation(experiment(StopTime = 1, Interval = 1e-2));
end M;
