// expect: t=1+1/3+1/5+1/7; q=0.25
function hilb input Integer n; output Real H[n,n];
  algorithm H := {{1/(i+j-1) for j in 1:n} for i in 1:n}; end hilb;
function trace input Real A[:,size(A,1)]; output Real t=sum(A[i,i] for i in 1:size(A,1));
  algorithm end trace;
model M parameter Integer n=4; Real t,q; Real H[n,n]=hilb(n); equation t = trace(H)*time;
  q = H[end,1]; end M;
