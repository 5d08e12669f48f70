model M
  Integer n(start=0,fixed=true), k(start=0,fixed=true);
  Real x(start=0,fixed=true);
equation
  der(x)=1;
  when sample(-0.25,0.5) then n=pre(n)+1;
  end when;
  when sample(0,0.5) then k=pre(k)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
