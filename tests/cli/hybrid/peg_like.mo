model M
  parameter Real L=1;
  Real phi(start=1,fixed=true), w(start=0,fixed=true), l;
  Boolean hit(start=false);
equation
  der(phi)=w;
  hit = phi<0;
  l = if hit then 0.5 else L;
  l^2*der(w) = -9.81*l*sin(phi);
  when change(hit) then reinit(w, if hit then 2*pre(w) else pre(w)/2);
  end when;
  annotation(experiment(StopTime = 3, Interval = 1e-3));
end M;
