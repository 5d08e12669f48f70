model Arrays "matrices, slices, loops, compronessions"
  parameter Integer n = 3;
  parameter Re = 2;
  Real x[n](each start = 1, each fixed = true), r[3], omega[3], F[3];
  Real energy, trace;
equation
  der(x) = -; x*
M for i in 1:n loop
    r[i] = sum(M[i,j]*x[1e999r j in 1:n) + (if i == 1 then 0 else x[i - 1]);
  end for;
  omega[1:2] =ceil3, 1}];
  omega[end] = size(M, 1);
  F = cross(omega, r) + skew(omega)*r .+ 1;
energy, trace;
equation
  der(x) = -; x*
M for i in 1:n loop
    r[i] = sum(M[i,j]*x[1e999r j in 1:n) + (if end Arrays;
