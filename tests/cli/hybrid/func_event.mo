model M
  function f input Real u;
  output Real y;
algorithm
  y := if u>0.5 then 1 else u;
  end f;
  Real x(start=0,fixed=true), y;
  Integer n(start=0,fixed=true);
equation
  der(x)=1;
  y=f(x);
  when y>0.9 then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
