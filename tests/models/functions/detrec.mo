// expect: d = 74
function det input Real A[:, size(A, 1)]; output Real d; protected Integer n = size(A, 1); Real B[max(size(A, 1) - 1, 0), max(size(A, 1) - 1, 0)];
algorithm
  if n == 1 then d := A[1, 1]; return; end if;
  d := 0;
  for j in 1:n loop
    B := [A[2:n, 1:j-1], A[2:n, j+1:n]];
    d := d + (if mod(j, 2) == 1 then 1 else -1)*A[1, j]*det(B);
  end for;
end det;
model M Real d = det([2, 1, time, 0; 1, 3, 2, 1; 0, 1, 4, 2; 1, 0, 2, 5]); end M;
