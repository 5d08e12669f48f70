// expect: s[1]=-1; s[2]=1; s[3]=2.5; s[4]=7; m=1.75
function sort input Real a[:]; output Real b[size(a,1)]; protected Real t;
algorithm
  b := a;
  for i in 1:size(a,1)-1 loop for j in 1:size(a,1)-i loop
    if b[j] > b[j+1] then t := b[j]; b[j] := b[j+1]; b[j+1] := t; end if;
  end for; end for;
end sort;
function median input Real a[:]; output Real m; protected Real s[:]=sort(a); Integer n=size(a,1);
algorithm m := if mod(n,2)==0 then (s[div(n,2)]+s[div(n,2)+1])/2 else s[div(n,2)+1]; end median;
model M
  Real s[4]; Real m;
equation
  s = sort({7*time,1,-1,2.5}); m = median({7*time,1,-1,2.5});
end M;
