// expect: a=55; b=24; c=9; d=-1; e=14; g=385
function f input Integer n; output Real a; output Real b; output Real c; output Real d; 
algorithm
  a := sum(i for i in 1:n); b := product(i for i in 1:4); c := max(i^2 for i in {1,3,-2});
  d := min(i for i in {3,-1,2});
end f;
model M
  Real a,b,c,d,e,g;
equation
  (a,b,c,d) = f(10);
  e = sum({1,2,3}.^2)*time;
  g = sum(i*j for i in 1:10, j in 1:10 ) - sum(if i==j then 0 else i*j for i in 1:10, j in 1:10);
end M;
