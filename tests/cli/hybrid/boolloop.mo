model M
  Real x(start=0,fixed=true);
  Boolean a,b;
equation
  der(x)=1;
  a = x>0.5 or b and x>2;
  b = a and x<1.5;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
