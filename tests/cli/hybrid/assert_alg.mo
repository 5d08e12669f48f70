model M
  Real x(start=0,fixed=true);
  Integer k(start=0,fixed=true);
equation
  der(x)=1;
algorithm
  when x>0.5 then k := pre(k)+1;
  if k > 0 then assert(x<0.4, "in algorithm");
  end if;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
