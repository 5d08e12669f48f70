model M "three brakes"
  Real w(start=1,fixed=true), a, s[3], t[3];
  Boolean l[3];
equation
  der(w)=a;
  a = sin(time) - sum(t);
  for i in 1:3 loop l[i] = time > 0.5*i and w < 2;
  a = if l[i] then 0*s[i] else s[i];
  t[i] = if l[i] then s[i] else 0.1*w;
  end for;
  annotation(experiment(StopTime = 3, Interval = 1e-2));
end M;
