model M
  Real w(start=0,fixed=true), a, sa, f;
  Boolean fwd(start=false,fixed=true), bwd(start=false,fixed=true), locked;
  Integer mode(start=0,fixed=true);
  Boolean sf, sb;
equation
  der(w)=a;
  a = 2*sin(3*time) - f;
  sf = pre(mode)==0 and (sa>1 or pre(sf) and sa>0.8) or (pre(mode)==-1) and w>0;
  sb = pre(mode)==0 and (sa<-1 or pre(sb) and sa<-0.8) or (pre(mode)==1) and w<0;
  locked = not (pre(mode)==1 or sf or pre(mode)==-1 or sb);
  fwd=sf;
  bwd=sb;
  a = if locked then 0 else if sf then sa-0.8 elseif sb then sa+0.8 elseif pre(mode)==1 then
      sa-0.8 else sa+0.8;
  f = if locked then sa else if sf then 0.8 elseif sb then -0.8 elseif pre(mode)==1 then
      0.8+0.1*w else -0.8+0.1*w;
  mode = if (pre(mode)==1 or sf) and w>0 then 1 elseif (pre(mode)==-1 or sb) and w<0 then -1
      else 0;
  annotation(experiment(StopTime = 4, Interval = 1e-3));
end M;
