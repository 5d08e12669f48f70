model M
  Integer n = integer(floor(2*sin(time)-0.5+0.5));
  Integer c(start=0,fixed=true);
  Real x(start=0,fixed=true);
equation
  der(x)=n;
  when change(n) then c=pre(c)+1;
  end when;
  annotation(experiment(StopTime = 8, Interval = 1e-2));
end M;
