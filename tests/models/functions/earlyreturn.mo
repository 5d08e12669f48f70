// expect: a=1; b=-1; c=5
function sgn input Real x; output Integer s; algorithm
  s := 0; if x > 0 then s := 1; return; end if; if x<0 then s := -1; return; end if; end sgn;
function find input Real x[:]; input Real v; output Integer i; algorithm
  for k in 1:size(x,1) loop if x[k] == v then i := k; return; end if; end for; i := 0; end find;
model M Real a,b,c; equation a = sgn(time+1); b = sgn(-time-1); c = find({1,3,5,7,9},9); end M;
