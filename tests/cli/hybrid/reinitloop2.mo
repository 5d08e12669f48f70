model M "reinit depends on algebraic unknown that depends on the reinit variable"
  Real x(start=0,fixed=true), y, v(start=0,fixed=true);
equation
  der(x)=v;
  der(v)=1;
  y = v^3 + v;
  when x>0.5 then reinit(v, -0.1*y);
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
