model M
  Real x(start=0,fixed=true);
  Integer k(start=0,fixed=true);
equation
  der(x)=1;
  when sample(0.5,0.5) then k=pre(k)+1;
  elsewhen {time>=1, x>0.7} then k=pre(k)+10;
  elsewhen x>1.2 then k=pre(k)+100;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
