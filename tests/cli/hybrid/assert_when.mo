model M
  Real x(start=0,fixed=true);
equation
  der(x)=1;
  when x > 0.5 then assert(x<0.4,"too far");
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
