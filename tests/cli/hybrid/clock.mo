model M
  Real x(start=0,fixed=true);
  Real u, ud(start=0);
equation
  ud = sample(x, Clock(0.1)) + 0.5*previous(ud);
  u=hold(ud);
  der(x)=1-0.2*u;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
