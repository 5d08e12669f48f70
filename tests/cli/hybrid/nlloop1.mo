model M
  Real x(start=0,fixed=true);
  discrete Real a(start=1,fixed=true), b(start=1,fixed=true);
equation
  der(x)=a;
  when sample(0.2,0.2) then a = cos(b)+0.1*x;
  b = a^2/2+0.3;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
