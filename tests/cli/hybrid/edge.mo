model M
  Real x(start=0,fixed=true);
  Boolean p = sin(5*time)>0.3;
  Integer n(start=0,fixed=true), q(start=0,fixed=true);
equation
  der(x)=n;
  when edge(p) then n=pre(n)+1;
  end when;
  when change(p) then q=pre(q)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
