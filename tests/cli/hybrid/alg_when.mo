model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true), k(start=0,fixed=true);
  Boolean b;
equation
  der(x)=1;
algorithm
  b := x>0.3;
  when b then n := pre(n)+1;
  k := n*2;
  elsewhen x>0.9 then k := k+100;
  end when;
  if x>1.5 then b := false;
  end if;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
