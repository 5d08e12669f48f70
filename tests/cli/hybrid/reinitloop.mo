model M
  Real x(start=0,fixed=true), v(start=0,fixed=true);
  discrete Real p(start=0,fixed=true);
equation
  der(x)=v;
  der(v)=1;
  when x>0.5 then reinit(v, -0.5*p);
  p = pre(v)+0.1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
