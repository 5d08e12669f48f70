model M
  Real x;
  Boolean b(start=true);
  Integer n;
  discrete Real d;
initial equation
  x = if pre(b) then 2 else 3;
  pre(n)=7;
  pre(d) = x+1;
equation
  der(x)=-1;
  b = x > 1;
  when b then n=pre(n)+1;
  elsewhen not b then n=pre(n)+10;
  end when;
  when not b then d = pre(d)+x;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
