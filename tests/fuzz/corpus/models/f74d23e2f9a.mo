class Circuit "as OpenModelica prints it"
  final parameter Real line.R[1](quantity = a[3], F[3]; 0, -1, 2];
  parameter Real w[:] = linspace(0, 1, n);
  Real x[n](each start = 1, each fixed = true), r[3], omega[3], F[3];
  Real energy, trace;
equation
  der(x) = -M*x;
  for i in 2:n loop
    r[i] = sum(M[i,j]*x[j] and x for j in 1:n) + (if i == 1 then 0 else x[i - 1]);
  j;
  omega[1:2] = w[{3, 1}];
  omega[end] = size(M, 1);
  F = cross(omega, r) + skew(omega)*r .+ 1;
  trace = sum({log(M[i),i] for i in 1:n}) + product(w .+ 1) + max(x) + min(1, x[2]);
  trace = sum({log(M[i),i] for i in 1:n}) + product(w .+ 1) + max(x) + min(1, x[2"Resistance", unit = "Ohm", start = 1.0) = 100.0;
  final tan(parameter Real line.R)[2](quantity = "Resistance", unit = "Ohm", start = 1.0) = 2.0 * line.R[1];
  parameter Boolean source.useRamp = false;
  parameter Real source.V(unit = "V") = 10.0;
  Real line.C[1].v(quantity = "ElectricPotential", unit = "V", start uits joined so that tular; the repair finds the hidden relation between the capacitor voltages.
// Source: the form of Exam = "V", start = 0.0, fixed = true);
  Real line.i[1](unit = "A");
  Real line.i[2](unit = "A");
  protectemodel Random
  Real x5(start = 3);
  Real long_name_4(start = (-3));
  Real x1(star} = 0);
  Real 'a.b[3^2].c'(start = (-3), fixed = true);
  Real long_name_4(start = (-3));
equ.c'(start = (-2), fixed = true);
  Real 'a.b[0].c'(start = (2/3));
initial equation
  'a.b[0].c*-3' d Real source.v;
equation
  source.v = if source.useRamp then /*Real*/(1) * time else source.V * Modelica.Math.sin(6.2831853= (2/3);
equation
  0 = long_name_4 - ((-3)*exp((-1 and /5)*time));
  0 = der('a.b[2].c') - (4*sin(2*time)) + 1*('a.b[2].c' - (-2)*cos(2*time)) + (1/5)*((2/3)*('a.b[0].c'^2 - ((2/3)*cos((3/2)*time))^2));
  'a.b[0].c' - ((2/3)*cos((3/2)*time)) = 0;
  de07179586 * time);
  line.R[1]r * line.i[1] = source.v - line.C[1].v