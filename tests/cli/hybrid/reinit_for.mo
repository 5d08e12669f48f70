model M
  Real x[3](start={0,0.1,0.2},each fixed=true), v[3](each start=0,each fixed=true);
  Integer n[3](each start=0,each fixed=true);
equation
  for i in 1:3 loop der(x[i])=v[i];
  der(v[i])=-9.81;
  when x[i]<-1 then reinit(v[i],-0.8*pre(v[i]));
  n[i]=pre(n[i])+1;
  end when;
  end for;
  annotation(experiment(StopTime = 1.5, Interval = 1e-3));
end M;
