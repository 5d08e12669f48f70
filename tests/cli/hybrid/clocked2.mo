model M
  Real x(start=1,fixed=true);
  Integer k(start=0);
  Real u;
equation
  when Clock(0.2) then k = previous(k)+1;
  end when;
  u = hold(k);
  der(x)=-u*x;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
