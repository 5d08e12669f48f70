model M
  Real x(start=0,fixed=true), u, y(start=-1);
equation
  der(x) = y;
  u = 2*sin(3*time);
  y = u + 1.5*smooth(0, noEvent(if y>1 then 1 elseif y<-1 then -1 else y));
  annotation(experiment(StopTime = 4, Interval = 1e-2));
end M;
