model M
  Real x(start=0,fixed=true);
  Integer k(start=0,fixed=true);
  parameter Boolean p=true;
equation
  der(x)=1;
  when sample(0.3,0.3) then if pre(k) > 2 then k=pre(k)+2;
  assert(x<0.4,"too far in the branch");
  else k=pre(k)+1;
  end if;
  end when;
  annotation(experiment(StopTime = 2, Interval = 1e-2));
end M;
