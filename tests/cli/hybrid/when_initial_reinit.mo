model M
  Real x(start=1,fixed=true);
equation
  der(x)=-x;
  when time>0.5 then reinit(x,2*pre(x));
  elsewhen time>0.5 then reinit(x,0);
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
