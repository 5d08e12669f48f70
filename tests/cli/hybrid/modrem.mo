model M
  Real x(start=0.5,fixed=true), a, b, c;
equation
  der(x)=3*sin(time)-1;
  a=mod(x,0.7);
  b=rem(x,0.7);
  c=div(x,0.7);
  annotation(experiment(StopTime = 4, Interval = 1e-3));
end M;
