// expect: a=1; b=0; c=5
model M
  Real a(start=1), b, c(start=5); Boolean t(start=false); parameter Boolean p=false;
algorithm
  if time > 2 then a := 3; b := 3; end if;
  if p then c := 1; end if;
  t := time>0.5;
end M;
