model M
  Real x(start=1,fixed=true), y(start=0), u(start=0), v(start=0,fixed=true), l(start=0);
  Integer n(start=0,fixed=true);
equation
  der(x)=u;
  der(y)=v;
  der(u)=-x*l;
  der(v)=-y*l-9.81;
  x^2+y^2=1;
  when x<0 then reinit(u, 0.5*pre(u));
  n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 1.4, Interval = 1e-3));
end M;
