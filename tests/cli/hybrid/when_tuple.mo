model M
  function g input Real u;
  output Real a;
  output Integer b;
algorithm
  a:=u^2;
  b:=integer(10*u);
  end g;
  Real x(start=0,fixed=true);
  discrete Real a(start=0,fixed=true);
  Integer b(start=0,fixed=true);
equation
  der(x)=1;
  when sample(0.3,0.3) then (a,b)=g(x);
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
