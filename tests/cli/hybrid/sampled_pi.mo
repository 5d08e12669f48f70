model M
  Real x(start=0,fixed=true);
  discrete Real u(start=0,fixed=true), i(start=0,fixed=true);
equation
  der(x)=-x+u;
  when sample(0,0.1) then i = pre(i)+0.1*(1-x);
  u = 2*(1-x)+i;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
