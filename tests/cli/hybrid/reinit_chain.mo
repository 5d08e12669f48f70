model M "a reinit causes another event"
  Real a(start=0,fixed=true), b(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(a)=1;
  der(b)=0;
  when a>0.5 then reinit(b, 2);
  end when;
  when b>1 then reinit(a, -1);
  n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
