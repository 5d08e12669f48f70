model M
  Real x(start=0,fixed=true);
  discrete Real a[10](each start=1,each fixed=true);
equation
  der(x)=a[1];
  when sample(0.2,0.2) then for i in 1:9 loop a[i] = cos(a[i+1])+0.01*x;
  end for;
  a[10]=sin(a[1]);
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
