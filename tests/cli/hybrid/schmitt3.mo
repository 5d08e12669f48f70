model M "two coupled"
  Real x(start=0,fixed=true), y(start=-1), z(start=-1);
  Integer n(start=0,fixed=true);
equation
  der(x) = cos(time);
  y = 3*x + 2*(if y>1 then 1 elseif y<-1 then -1 else y);
  z = y/3 + 2*(if z>1 then 1 elseif z<-1 then -1 else z);
  when {y>0, z>0} then n = pre(n)+1;
  end when;
  annotation(experiment(StopTime = 8, Interval = 1e-2));
end M;
