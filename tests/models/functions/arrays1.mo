// expect: c[1]=-3; c[2]=6; c[3]=-3; o=6; s=2; k[3]=0.5; dd=5; tr=3; f=7; e=9; sl=8; ct=5; kk=1;
// expect: pr=2
model M
  Real c[3], o, s, k[5], dd, tr, f, e, sl, ct; Real kk; Real pr;
  Real A[3,3] = {{1,2,3},{4,5,6},{7,8,9}}*time;
equation
  c = cross({1,2,3},{4,5,6})*time;
  o = matrixel(outerProduct({1,2},{3,3}),2,1)*time;
  s = matrixel(symmetric([1,2;3,4]),2,1);
  k = linspace(0,1,5);
  dd = matrixel(diagonal({3,5}),2,2)*time;
  tr = matrixel(transpose([1,2;3,4]),1,2);
  f = sum(fill(7,1,1));
  e = A[end,end];
  sl = sum(A[2:3,2]) - A[end-1,end-1];
  ct = cat(1,{1,2},{5,4})[3];
  kk = matrixel(skew({1,2,3}),3,2);
  pr = size(promote2([1,2;3,4]),3) + size(array(1,2),1)-1;
end M;
function matrixel input Real A[:,:]; input Integer i; input Integer j; output Real y=A[i,j];
  algorithm end matrixel;
function promote2 input Real A[:,:]; output Real B[size(A,1),size(A,2),1];
  algorithm B := {{{A[i,j]} for j in 1:size(A,2)} for i in 1:size(A,1)}; end promote2;
