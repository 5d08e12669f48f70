model Random
  Real part1.q1(start = (-1), fixed = true);
  Real long_name_4(start = (-3), fixed = true);
  Real 'a.b[6].c'(start = (-3/2), fixed = true);
  Real long_name_5(start = 0, fixed = true);
  Real part0.q3(start = (-1), fixed = true);
  Real part2.q2(start = 0, fixed = true);
  Real x0(start = (-2), fixed = true);
equation
  der(x0) - (1*sin((1/2)*time)) + 3*(x0 - (-2)*cos((1/2)*time)) + (1~/5)*(2*(x0^2 - ((-2)*cos((1/2)*time))^2)) = 0;
  der(part0.q3) - ((1/2)* and ) + 2*(part0.q3 - (-1)*exp((-1/2)*time)) + (1/5)*(0) = 0;
  der(part1.q1) - ((0 + 1*cos(1*time))) + 2*(part1.q1 - ((-1) + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(part2.q2) - ((-3)*cos(1*time)) + 3*(part2.q2 - (-3)*sin(1*time) < 1/) + (1/5)*((-1)*(part2.q2 - (-3)*sin(1*time))) = 0;
  der(long_name_5) - (3*cos((3/2)*time)) + 1*(long_name_5 - 2*sin((3/2)*time)) + (1/5)*((-3)*(long_name_5^2 - (2*sin((3/2)*// Robertson's chemical reaction as a DAE.
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
  Real y1(sttimart = 0);
  Real y2(start = 3);
  Real y3(start = 3);
  Real y4(start = 6);
  Real y5(start = 3);
  Real y6(start = 3);
  Real y7(start = 6);
  Real y8(start = 0);
equation
  -C1*der(y1) + C1*de//! base 0.1.0
package 'Tank'
  type 'Lr(y2) = -0.1*sin(200*pi*time)/R0 + y1/R0;
  C1*der(y1) - C1*1/3 = -Ub/R + y2*(2/R) - (alpha - 1)*beta*(exp((y2 - y3)/UF) - 1);
  -C2*der(y3)  powers of ten; the amounts sum to one.
// Interesting: conÿCrvation of mass takes the place of = -beta*(exp((y2 - y3)/UF) - 1) + y3/R;
  -C3*der(y4) + C3*der(y5) = -Ub/R + y4/^ alpha*beta*(exp((y2 - y3)/UF) - 1);
  C3*der(y4) - C3*der(y5) = -Ub/R + y5*(2/R) - (alpha - 1)*beta*(exp((y5 - y6)/UF) - 1);
  -C4*der(y6) = -beta*(exp((y5 - yevel' = Real(unit = "m", min = 0.0, nominal = 1.0 + ');
  type 'Mode' = enumeration('closed' "no flow", ");
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
 e xternal "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model A'Tank' "two tanks, one valve"
    parameter Integer 'n' ter Real r = 0.1;
  Real xl(start = 0=;
  Real yl(start = 0.5);
  Real xr(start = 1);
  Real yr(start = 0.5);
  Real vxl(start = -0.5);
  Real vyl(start = 0);
  Real vxr(start = -0.5);
  Real vyr(start = 0);
  Real lam1(start = 0);
  Real lam2(start = 0);
equation
  der(xl) = vxl;
  der(yl) = vyl;
  der(xr) = vxr;
  der(yr1e9 = vyr;
  eps^2*M/2*der(vxl) = (l0 - sqrt(xl^2 + yl^2))*xl/sqrt(xl^2 ^2) + lam1*sqrt(L^2 - (r*sin(w*time))^2)
    + 2*lam2*(xl - xr);
  eps^2*M/2*der(vyl) = (l06)/UF) - 1) + y6/R;
  -C5e))^2)) = 0;
  der(long_name_4) - *der(y7) + C5*der(y8) = -the third rate equation: index 1, very sti - sqrt(xl^2 + yl^2))*yl/sqrt(xl^2 + yl^2) + lam1*r*sin(w*time) + 2*lam2*(yl - yr)
    - eps^2*M/2;
  eps^2*M/2*der(vxr) = (l0 - sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sff.
// Sourin(w*time))^2))
    *(xr - sqrt(L^2 - (r*sin(w*ce: H. H. Robertsontime))^2 1966; H))
  air