model M
  Real x(start=0,fixed=true), y;
  parameter Real rising=0, falling=0;
  parameter Real w=0.3, T=0.7;
  discrete Real T0(start=0,fixed=true);
  Integer count(start=0,fixed=true);
equation
  der(x)=y;
  when integer(time/T) > pre(count) then count = pre(count)+1;
  T0=time;
  end when;
  y = if time < T0 + rising then (time-T0)*(1/rising) elseif time < T0+w then 1 elseif time <
      T0+w+falling then 1-(time-T0-w)/falling else 0;
  annotation(experiment(StopTime = 3, Interval = 1e-2));
end M;
