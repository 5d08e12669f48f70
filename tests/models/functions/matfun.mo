// expect: d = 101.0; c = 101.0; P[3,2] = 0; L[2,1] = 0.5; U[2,2] = 4.5
function lu input Real A[:, size(A, 1)]; output Real L[size(A,1), size(A,1)] = identity(size(A,1)); output Real U[size(A,1), size(A,1)] = A;
protected Integer n = size(A, 1);
algorithm
  for k in 1:n-1 loop
    for i in k+1:n loop
      L[i, k] := U[i, k]/U[k, k];
      U[i, k:n] := U[i, k:n] - L[i, k]*U[k, k:n];
    end for;
  end for;
end lu;
function det input Real A[:, size(A,1)]; output Real d; protected Real L[size(A,1),size(A,1)]; Real U[size(A,1),size(A,1)];
algorithm (L, U) := lu(A); d := product(U[i, i] for i in 1:size(A,1)); end det;
model M
  Real A[3,3] = [4, 1, time; 2, 5, 3; 1, 0.5, 6];
  Real d = det(A); Real c; Real P[3,3]; Real L[3,3]; Real U[3,3];
equation
  c = A[:, 1]*cross(A[:, 2], A[:, 3]);
  (L, U) = lu(A);
  P = L*U - A;
end M;
