// expect: s=2; v=3; m=1; q=4; n=3
model M Real s,v,m,q,n; 
equation s = scalar({{2}}); v = vector([1;2;3])[3]; m = size(matrix({1,2,3}),2);
  q = size(promoteM({1,2,3,4}),1)*time; n = ndims(zeros(2,3,4)); end M;
function promoteM input Real x[:]; output Real y[size(x,1),1]; algorithm y := matrix(x);
  end promoteM;
