model M
  Real x(start=1,fixed=true), v(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=v;
  der(v)=-4*x;
  when der(v)>0.5 then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 8, Interval = 1e-2));
end M;
