model M
  Real x(start=0,fixed=true);
  Integer n[4](each start=0,each fixed=true);
  Real y;
equation
  der(x)=1;
algorithm
  y := 0;
  for i in 1:4 loop when x > 0.3*i then n[i] := pre(n[i])+i;
  end when;
  if x > 0.4*i then y := y+1;
  end if;
  end for;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
