model M
  Real V = if time < 0.3 then 0 else 1 + x;
  Real u(start=0,fixed=true), w, i, q(start=0,fixed=true), x(start=0,fixed=true);
equation
  der(x) = 1;
  u + w = V;
  2*der(u) = i;
  3*der(w) = i;
  der(q) = i;
  annotation(experiment(StopTime = 1, Interval = 1e-2));
end M;
