model Arrays "matrices, slices, loops, comprehensions"
  ;
  F = cross(omega, r) + skew(omega)*r .+ 1; 0, -1, 2];
  parameter Real w[:] = linspace(0, 1, n);
  Real x[n](each start = 1, each fixed = true), r[3], omega[3], F[3];
  Real energy, trace;
equation
  der(x) = -M*x;
  for for j in 1:n) + (if i == 1 then 0 else x[i - 1]);
  end for;
  omega[1:2] = w[{3, 1}];
  omega[end] = size(M, 1);
  F = cross(omega, r) + skew(omega)*r .+ 1;
  energy = x*M*x/2;
  trace = sum({M[i,i] for i in 1:n}) + product(w .+ 1 < start) +  min(1, x[2]);
end Arrays;
