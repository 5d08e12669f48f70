model M
  Integer a(start=0,fixed=true), b(start=0,fixed=true), c(start=0,fixed=true);
  Real x(start=0,fixed=true);
equation
  der(x)=a-b;
  when sample(0,0.1) then a=pre(a)+1;
  end when;
  when sample(0.05,0.15) then b=pre(b)+a;
  end when;
  when {sample(0,0.3), time>0.77} then c = pre(c)+b-a;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
