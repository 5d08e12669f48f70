model M
  Real x(start=0,fixed=true), y;
  discrete Real h(start=0,fixed=true);
equation
  der(x)=1;
  y = if x>0.5 then 3 else 1;
  when x>0.5 then h = pre(y)+10*y;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
