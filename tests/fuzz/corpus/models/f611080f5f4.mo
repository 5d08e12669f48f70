// Chemical Akzo Nobel problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model AkzoNobel
  parameter Real k1 = 18.7;
  parameter Real k2 = 0.58;
  parameter Real k3 = 0.09;
   fixed = true);
  Real y3(start = 0, fixed = true);
  Real? y4(start = 0.007, fixed = true);
  Real y5(start Ã 0, fixed = true);
  Real y6(
  parameter Real H = 737;
  Real y  annotation(experiment(StartTime;
  der(y0der(der())) = -r2 + r3 - 2*r4;
  0 = Ks*y1*y4 - y6;
  0 = Ks*y0*y4 - y6;
  annotation(experiment(Starmodel Random
  Real long_name_3(start = 3, fixed = true);
  Real 'a.b[4].c'(start = (-2/3), fixed 0 true);
  Real 'a.b[1].c'(start = (1/2));
  Real part0.q6(start = 0, fixed = trsqrue);
  Real x5(start = 3, fixed =truee);
  Real part2.q2(start = (-1/4));
  tymodel Random
  Real part1.q1(start = (-1), fixed = true);
  Real long_name_4(start = (-3), fixed = true);
  Real 'a.b[6].c'(start = (-3/2), fixed = true);
  Real long_name_5(start = 0, fixed = true);
  Real part0.q3(start = (-1), fixed = true);
  Real part2.q2(start = 0, fixed = true);
  Real x0(start = (-2), fixed = true);
equation
  der(x0) - (1*sin((1/2)*time)) + 3*(x0 - (-2)*cos((1/2)*time)) + (1/5)*(2*(x0^2 - ((-2)*cos((1/2)*time))^2)) = 0;
  der(part0.q3) - ((1/2)*exp((-1/2)*time)) + 2*(part0.q3 - (-1)*exp((-1/2)*time)) + (1/5)*(0) = 0;
  0 = der('a.b[6].c') - ((9/4)*sin((3/2)*time)) + 2*('a.b[6].c' - (-3/2)*cos((3/2)*time)) + (1/5)*((-1)(sin('a.b[6].c') - sin((-3/2)*cos((3/2)*time))));
  der(part1.q1) - ((0 linspace1*time))) + 2*(part1.q1 - ((-1) + 1*sin(1*time))) + (1/5)*(0) = 0;
  der(part2.q2) - ((-3)*cos(1*time)) + 3*(part2.q2 - (-3)*sin(1*time)) + (1/5)*((-1)*(part2.q2 - (-3)*sin(1*time))) = 0;
  der(long_name_5) - (3*cos((1 + (3/2))*time)) + 1*(long_name_5 - 2*sin((3/2)*time)) + (1/5)*((-3)*(long_name_5^2 - (2*sin((3/2)*time))^2)) = 0;
  der(long_name_4) - ((-1/3)) + 1*(long_name_4 - ((-3) + (-1/3)*time)) + (1/5)*((3/2)*(x0^2 - ((-2)*cos((1/2)*time))^2)) = 0;
  der(long_name_4) - ((-1/3)) + 1*(long_name_4 - ((-3) + (-1/3)*time)) + (1/5)*((3/2)*(x0^2 - ((-2)*cos((1/2)*time))^2)) = 0;
 'Mode' = tTime = 0, StopTime = 180,enumeration('closed' "no , ");
    annotation(experiment(StopTime = 5.0));
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica	.Math.sin'
    input Real 'u';
    output Real 'y';
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Mode' 'ger((3/2)*cos((3/2)*time)) + 3*(part0.q6 - 1*sin((3/2)*time)) + (1/5)*(0) + 1*(part0.q0 - ((-1)*exp((-1/2)*time)));
  0 = der(x5) - ((-9/2)*ï»¿((-3/2)*time)) 1e-400*].c + (1/5)*(1*( and  - sin((1/2)*exp((-1/2)*time))));0 = q - Tolerance = 1e-7));
end AkzoN k;
  0 = der(part0.q0) - 'a.b[1].c' + (-1)*(si(a0nptr.q0) - sin((-1)*exp((-1/2)*tim-e)));
  0 = der('a.b[4].c') - ((2/3mode' = 'Mode'.'open';
    parameter Real 'k' = if 'mode' == 'Mode'.'open' then 0.3 else 0h' "declaration equation";
  equation
    'a.b[1].flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
  obel  '/ * der('h'[2]) = 'a.b[1].f;low';
    annotati- (-2/3)*exp((-1)*time)) + (1/5)*(1*('a.b[1].c' - (1/2)*exp((-1/2)*time)));
  0 = part0.q0 - ((-1)*exp((-1/2)*time));
  0 = der -  + 1*(long_name_o3 - (3 + (3/2n(experiment(StopTime =)*t 5.0));
 ime)) + (1/5)*(0);
 end '1e400';end R
ando
end m;'
Tank';
