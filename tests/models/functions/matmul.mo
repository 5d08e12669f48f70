// expect: C[1,1]=19; C[1,2]=22; C[2,1]=43; C[2,2]=50; v[1]=5; v[2]=11; dt=-2; n=sqrt(30)
function det2 input Real A[2,2]; output Real d=A[1,1]*A[2,2]-A[1,2]*A[2,1]; algorithm end det2;
function fro input Real A[:,:]; output Real n; algorithm n := sqrt(sum(A.*A)); end fro;
model M
  Real C[2,2], v[2], dt, n; Real A[2,2]=[1,2;3,4]*time; parameter Real B[2,2]=[5,6;7,8];
equation
  C = A*B; v = A*{1,2}; dt = det2(A); n = fro(A);
end M;
