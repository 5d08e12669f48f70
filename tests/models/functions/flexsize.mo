// expect: s=6; k=3; m=4; z=0
function cum input Real x[:]; output Real y[:]; algorithm y := x;
  for i in 2:size(x,1) loop y[i] := y[i-1]+x[i]; end for; end cum;
function evens input Real x[:]; output Real y[div(size(x,1),2)]; algorithm y := x[2:2:end];
  end evens;
function emp input Real x[:]; output Real s=sum(x); algorithm end emp;
model M Real s,k,m,z; Real c[3]=cum({1,2,3}*time); Real e[2]=evens({1,2,3,4});
equation s=c[end]; k=size(cum({1,2,3}),1); m=e[2]; z = emp(zeros(0))*time; end M;
