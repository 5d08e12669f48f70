model M
  Real x(start=0,fixed=true), y;
  Boolean b = y>0.5;
equation
  der(x)=1;
  y^3+y = homotopy(x, 0.5*x);
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
