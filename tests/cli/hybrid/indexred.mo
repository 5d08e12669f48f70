model M "index 3 with switch"
  Real x(start=1,fixed=true), y(start=0), u(start=0), v(start=0,fixed=true), l(start=0), d;
equation
  der(x)=u;
  der(y)=v;
  der(u)=-x*l-d*u;
  der(v)=-y*l-9.81-d*v;
  x^2+y^2=1;
  d = if y<-0.5 then 2 else 0;
  annotation(experiment(StopTime = 2, Interval = 1e-3));
end M;
