model M
  Real a(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(a)=1;
  when a>0.5 then reinit(a, a-0.5+0.7);
  n=pre(n)+1;
  elsewhen a > 1 then reinit(a, 0);
  n=pre(n)+10;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
