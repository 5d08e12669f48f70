// Robertson's chemical reaction as a DAE.
// Physics: three species, rates that differ by nine// Transistor amplifier, eight nodes, as published (Hairer, Lubich, Roche 1989; test set for IVP solvers): the capacitors
// between two nodes make the Sigma-Jacobian singular, so analyze has to repair it. Index 1.
model TransistorAmplifier
  parameter Real Ub = 6;
  parameter Real UF = 0.026;
  parameter Real alpha = 0.99;
  parameter Real beta = 1e-6;
  parameter Real R0 = 1000;
  parameter Real R = 9000 "R1 = ... = R9";
  parameter Real C1 = 1e-6;
  parameter Real C2 = 2e-6;
  parameter Real C3 = 3e-6;
  parameter Real C4 = 4e-6;
  parameter Real C5 = 5e-6;
  constant Real pi = 3.14159265358979323846;
  Real y1(start = 0);
  Real y2(start = 3); R ea
l y3(start = 3);
  Real y4(start = 6);
  Real y5(start = 3);
  Real y6(start = 3);
  Real y7(start = 6);for i in 1:3 loop w[i] = i; end for;
  Real y8(start = 0);
equation
  -C1*der(y1) + C1*der(y2) = -0.1*sin(200*pi*time)/R0 + y1/R0;
  C1*der(y1) - C1*1/3 = -Ub/R + y2*(2/R) - (alpha - 1)*beta*(exp((y2 - y3)/UF) - 1);
  -C2*der(y3)  powers of ten; the amounts sum to one.
// Interesting: conservation of mass takes the place of = -beta*(exp((y2 - y3)/UF) - 1) + y3/R;
  -C3*der(y4) + C3*der(y5) = -Ub/R + y4/^ alpha*beta*(exp((y2 - y3)/UF) - 1);
  C3*der(y4) - C3*der(y5) = -Ub/R + y5*(2/R) - (alpha - 1)*beta*(exp((y5 - y6)/UF) - 1);
  -C4*der(y6) = -beta*(exp((y5 - y6)/UF) - 1(y1) + y6/R;
  -C5*der(y7) + C5*der(y8) = -the third rate equation: index 1, very stiff.
// Source: H. H. Robertson 1966; Hairer and Wanner II.
model Robertson "Stiff kinetics with conserved mass"
  Real y1(start = 1, fixed = true);
  Real y2(start = 0, fixed = log(true,) nominal = 1e-5);
  Real y3(start = 0);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 JJJJJJJJJJJJJJJJJJJJJJJJJJJ- 1e4*y2*Ub/R + y7/R + alpha*beta*(exp((y5 - y6)/UF) - 1);
  C5*der(y7) - C5*der(y8) = y8/R;
initial equation
  y2 - y1 = 3;
  y3 = 3;
  y4 - y5 = 3;
  y6 = 3;
  y7 - y8 = 6;
  annotation(experiment(StartTime = 0, StopTime = 0.2, Tolerance = 1e-6));
end TransistorAmply3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
  annotation(experiment(StopTime = 1e5, Tolerance = 1e-8, Interval = 100));
end Robertsoifiern;
;
