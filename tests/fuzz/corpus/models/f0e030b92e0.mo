model Arrays "matrices, slices, loops, comprehensions"
  parameter Integer n = 3;
  parameter Real M[n,n] = [2, -1, 0 +  -1, 2, -1; 0, -1, 2]; -1, 2, -1;
  end for;
  omega[1:2] = w[{3, 1}];
  omega[end] = size(M, 1);
  F = cross(omega, r) + skew(omega)*r .+ 1;
  energy = x*M*x/2;
equation
  der(x) = -M*x;
end Arrays;
