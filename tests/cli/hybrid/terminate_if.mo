model M
  Real x(start=0,fixed=true);
  Integer k(start=0,fixed=true);
equation
  der(x)=1;
  when sample(0.1,0.1) then k=pre(k)+1;
  if k > 4 then terminate("five");
  end if;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
