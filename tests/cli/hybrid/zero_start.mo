model M
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true), k(start=0,fixed=true);
equation
  der(x)=1;
  when x>0 then n=pre(n)+1;
  end when;
  when x<0 then k=pre(k)+1;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
