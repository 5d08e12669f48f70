// expect: A[2,3] = 3; C[3,1] = 7; o[2] = 8; e = 0; v[1] = 3; v[2] = 1; t[3,2] = 3; q = 10
function outer2 input Real a[:]; input Real b[:]; output Real M[size(a,1), size(b,1)];
algorithm for i in 1:size(a,1) loop M[i, :] := a[i]*b; end for; end outer2;
function stack input Real A[:,:]; input Real B[:, size(A,2)]; output Real C[size(A,1)+size(B,1), size(A,2)]; algorithm C := [A; B]; end stack;
function odd input Real x[:]; output Real y[div(size(x,1)+1,2)]; algorithm for i in 1:size(y,1) loop y[i] := x[2*i-1]; end for; end odd;
function rev input Real x[:]; output Real y[size(x,1)]; algorithm y := x[end:-1:1]; end rev;
function empty input Real x[:]; output Real s; algorithm s := sum(x) + size(x, 1); end empty;
model M
  Real A[2,3] = outer2({1, time}, {1, 2, 3}); Real C[3,3] = stack(A, [7, 8, 9]); Real o[2] = odd(C[:, 2] .+ 0); Real e = empty(fill(1.0, 0)); Real v[2] = rev(odd({1, 2, 3*time}));
  Real t[3,2] = transpose(A); Real q = C[end, end] + A[end, 1];
end M;
