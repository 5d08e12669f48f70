model M
  Real x(start=0,fixed=true);
  Integer n;
  Real f,c;
  Integer i;
equation
  der(x)=2*cos(2*time);
  f=floor(3*x);
  c=ceil(2*x+0.1);
  i=integer(5*x);
  n=div(i,2);
  annotation(experiment(StopTime = 4, Interval = 1e-3));
end M;
