// The bounds of the slices depend on what the matrix holds, a parameter with sqrt(2) in it: its
// values count. By hand: k = 1, X[:,2] = A[:,1], X[:,3] = A[:,2], X[:,1] = A[:,1] - 2*X[:,2] - 3*X[:,3].
// expect: y = -10 - 2*sqrt(2); z = 3
model Slices
  parameter Real a = sqrt(2);
  parameter Real A[3, 3] = [1, a, 3; 3, 4, 5; 2, 1, 2];
  parameter Integer n = 3;
  function backwards
    input Real A[:, :];
    output Real y;
  protected
    Integer k;
    Integer n = size(A, 1);
    Real X[size(A, 1), size(A, 1)];
  algorithm
    X := zeros(n, n);
    if abs(A[n, n - 1]) < 0.5 then
      k := n - 1;
    else
      k := n - 2;
      X[:, n - 1] := A[:, 1];
    end if;
    X[:, n] := A[:, 2];
    while k >= 1 loop
      X[:, k] := A[:, k] - vector(X[:, k + 1:n]*matrix(A[1, {2, 3}] .* {if A[1, 2] > 0 then 2/A[1, 2] else 1, 1}));
      k := if A[1, k] < 0 then k - 2 else k - 1;
    end while;
    y := sum(X);
  end backwards;
  Real y = backwards(A)*time;
  Real z = n*time;
end Slices;
