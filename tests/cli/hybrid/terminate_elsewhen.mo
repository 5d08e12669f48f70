model M
  Real x(start=0,fixed=true);
  Integer k(start=0,fixed=true);
equation
  der(x)=1;
  when x>0.3 then k=1;
  elsewhen x>0.7 then terminate("second");
  k=2;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
