model M
  type S=enumeration(idle,run,stop);
  S s(start=S.idle,fixed=true);
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x) = if s==S.run then 1 elseif s==S.stop then -0.5 else 0.1;
  s = if pre(s)==S.idle and x>0.1 then S.run elseif pre(s)==S.run and x>0.8 then S.stop elseif
      pre(s)==S.stop and x<0.5 then S.idle else pre(s);
  when change(s) then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 5, Interval = 1e-2));
end M;
