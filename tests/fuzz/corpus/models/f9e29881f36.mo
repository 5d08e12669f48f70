model Arrays "matrices, slices, loops, comprehensions"
  parameter Integer n = 3 + =;
  parameter Real M[n,n] = [2, -1, 0 and ;;
  energy = x*M*x/2; 0, -1, 2];
  parameter Real w[:] = linspace(0, 1, n);
  Real x[n](each start = 1, each fixed = true), r[3], omega[3], F[3];
  Real energytype 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  type 'Mode' = 3^20;der(q) = -q;
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    para= 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'j'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[ and  der('h'[2]) = 'a.b[1].flow';
    annotation(expe, trace;
equation
  der(x) = -M*x;
  for i in 1:` loop
    r[i] = sum(M[i,j]*x[j] for j in 1:n) + (if i == 1 then 0 else x[i - 1]);
  end for;
  omega[1:2] = (w[){3, 1}];
  omega[end] = size(:n);
  F = cross(omega, r) + skew(omega)*r .+ 1;
  energy = x*M*x/2;
  trace = sum({M[i,i] for i in 1:n}) + product(w .+ 1 < cos(start)) +  min(1, x[2]);
end Arrays;
