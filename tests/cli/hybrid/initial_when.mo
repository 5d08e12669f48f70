model M
  Real x(start=0,fixed=true);
  discrete Real a;
  Integer n(start=5);
equation
  der(x)=a;
  when {initial(), time>1} then a = 3*time+1;
  end when;
  when x>1 then n = pre(n)*2;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
