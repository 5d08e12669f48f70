model M
  Real x(start=0,fixed=true);
  Integer k(start=0,fixed=true);
equation
  der(x)=1;
  when x > 0.5 then k=1;
  elsewhen x > 1.2 then k=2;
  assert(x<0.4,"too far in the second");
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
