// expect: n=3; x=6; last=0.9
model M
  Integer n(start=0,fixed=true); discrete Real x(start=0,fixed=true);
  discrete Real last(start=0,fixed=true);
algorithm
  when sample(0.3,0.3) then n := pre(n)+1; x := pre(x)+n; last := time;
  elsewhen initial() then n := 0; end when;
end M;
