model M
  Real x(start=0,fixed=true), y(start=1,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=y;
  der(y)=-x;
  when x*y+0.1*sin(3*x) > 0.4 then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 8, Interval = 1e-2));
end M;
