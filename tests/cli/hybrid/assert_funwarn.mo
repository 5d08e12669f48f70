model M
  function f input Real u;
  output Real y;
algorithm
  assert(u<1.2,"u is large", AssertionLevel.warning);
  y := 2*u;
  end f;
  Real x(start=0,fixed=true), y=f(x);
equation
  der(x)=1;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
