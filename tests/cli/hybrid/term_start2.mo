model M
  Real x(start=1,fixed=true);
equation
  der(x)=1;
  when {initial(), x>1.5} then terminate("now or later");
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
