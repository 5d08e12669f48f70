// expect: y = 4
record R String name; Real v[2]; end R;
function pick input R r[:]; input String n; output Real y; algorithm y := 0; for i in 1:size(r,1) loop if r[i].name == n then y := sum(r[i].v); end if; end for; end pick;
model textrecords parameter R r[2] = {R("a", {1,2}), R("b", {3,1})}; Real y = pick(r, "b")*time; end textrecords;
