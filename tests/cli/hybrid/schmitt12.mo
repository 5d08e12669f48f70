model M
  Real y[12](each start=-3), u[12];
  Real x(start=0,fixed=true);
  Integer n(start=0,fixed=true);
equation
  der(x)=sum(y);
  for i in 1:12 loop u[i]=2*sin(3*time+0.01*i);
  y[i] = u[i] + 2*(if y[i]>1 then 1 elseif y[i]<-1 then -1 else y[i]);
  end for;
  when y[1] > 0 then n=pre(n)+1;
  end when;
  annotation(experiment(StopTime = 3, Interval = 1e-2));
end M;
