model M
  Real x(start=0,fixed=true);
  Boolean p(start=false,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=1;
  when x>0.5 then p = not pre(p);
  end when;
  when p then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
