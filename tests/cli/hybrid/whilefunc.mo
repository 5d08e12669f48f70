model M
  function f input Real u;
  output Real y;
algorithm
  y := u;
  while y>0.3 loop y := y/2;
  end while;
  end f;
  Real x(start=0,fixed=true), y;
  Integer n(start=0,fixed=true);
equation
  der(x)=1;
  y=f(x);
  when sample(0.1,0.1) then n=pre(n)+(if y>0.2 then 1 else 0);
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
