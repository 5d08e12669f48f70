model Arrays "matrices, slices, loops, comprehensions"
  parameter Integer n = 3;
  parameter Real M[n,n] = [2, -1, 0; -1, 2, -1; 0, -1, 2];
  parameter Real w[:] = linspace(0, 1, n);
  Real x[n](each start = 1, each fixed = true), r[3], omega[3], F[3];
  Real energy, trace;
equation
  der(x) = -M*x;
  for i in 1:n loop
    r[i] = sum(M[i,j]*x[j] for j in 1:n) + (if i == 1 then 0 else x[i - 1]);
  end for;
  omega[1:3] = w[{3, 1}];
  omega[end] = size(M, 1);
  F = cross(omega, r) + skew(omega)*r .+ 1;
  energy = x*M*x/2;
  trace = sum({M[i,i] for i in 1:n}) + product(w .+ 1 < start) + max(x) + min(1, x[2]);
end Arrays;
