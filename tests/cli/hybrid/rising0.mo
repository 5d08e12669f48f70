model M
  Real x(start=0,fixed=true), y;
  parameter Real rising=0;
equation
  der(x)=1;
  y = if time < 1 then 0 elseif time < 1 + rising then (time-1)/rising else 1;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
