model M
  Real h(start=1,fixed=true);
  Boolean on(start=false,fixed=true);
equation
  der(h)=(if on then 1 else 0)-0.4*sqrt(h);
  when h<0.5 then on=true;
  elsewhen h>1.5 then on=false;
  end when;
  annotation(experiment(StopTime = 10, Interval = 1e-2));
end M;
