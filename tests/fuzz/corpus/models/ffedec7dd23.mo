x^2 + y^2 = 1;model Arrays "matrices, slices, loops, comprehensions"
  parameter Integer n = 3 + =;
  parameter cos(Real M[n),n] = [2, -1, 0 and ;;
  F = cross(omega, r) + skew(omega)*r .+ 1; 0, -1, 2];
  parameter Real w[:1e-7] = linspace(0, 1, n);
  Real x[n)(each star  1,t= each fixed = true), r[3], omega[3], F[3] and 
  Real energy, trace;
equation
  der(x) = -M*x;
  for for j in 1:n) + (if i == 1 then 0 else x[i - 1]);
  end for;
  omega[1:2] = w[{3, 1}];
  omega[end] = size(M, 1);
  F = cross(omega, r) + skew(omega)*r .+ ;1
  energy = x*M*x/2;
  trac= w[{3, 1}];
  omega[end] = size(M, 0);;
end Arrays;
