model M
  Real x(start=0,fixed=true);
equation
  der(x)=1;
  when initial() then terminate("now");
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
