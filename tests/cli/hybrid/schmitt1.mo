model M
  Real u, y(start=-1);
  Integer n(start=0,fixed=true);
equation
  u = 2*sin(3*time);
  y = u + 2*(if y>1 then 1 elseif y<-1 then -1 else y);
  when y > 0 then n = pre(n)+1;
  end when;
  annotation(experiment(StopTime = 4, Interval = 1e-2));
end M;
