// Two pendula; the length of the second depends on the tension of the first (Pryce 2001). Index 5.
model TwoPendula
  parameter Real g = 9.81;
  parameter Real L = 1;
  parameter Real c = 0.1;
  Real x;
  Real y;
  Real lambda;
  Real u;
  Real v;
  Real kappa;
equation
  der(der(x)) + x*lambda = 0;
  der(der(y)) + y*lambda - g = 0;
  x^2 + y^2 - L^2 = 0;
  der(der(u)) + u*kappa = 0;
  der(der(v)) + v*kappa - g = 0;
  u^2 + v^2 - (L + c*lambda)^2 = 0;
end TwoPendula;
