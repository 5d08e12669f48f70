model M
  Real x(start=1,fixed=true), y;
equation
  der(x)= -x+delay(y,0.25);
  y = if time>0.5 then 2 else 0;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
