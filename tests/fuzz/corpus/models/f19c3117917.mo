//! base 0.1.0
package '1/(Tank)'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Momodel Random
  Real x5(start = 3);
  Real long_name_5(start = (-3));
  Real x1(start = 0);
  Real 'a.b[3].c'(start = (-3), fixed = true);
  Real 'a.b[2].c'(start = (-2), fixed = true);
  0 = der('a.b[0].c') - x1 + 0;
initial equation
  'a.b[0].c' = (2/3);
equation
  0 = long_name_4 - ((-3)*exp((-1)*time));
  0 = der('a.b[2].c') - (4*sin(2*time)) + 1*('a.b[2].c' - (-2)*cos(2*time)) + (1/5)*((2/3)*('a.b[0].c'^2 -de' = enumeration('closed' "no flow", 'open');
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';//! base 0.1.0
package '1/(Tank)'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
    parameter Real[2] 'A' = {1.0, 0.5} "areas" = 
    parameter 'Mode' 'mode' = 'Mode'ÿ'open';
    parameter Real 'k' = if 'mode' == 'Mode'.'open' then 0.3 else 0.0abs(;)
    'Level'[2] 'h'2 = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "declaration equation";
  equation
    'a.b[1]ÿÿÿÿÿÿÿÿÿÿÿÿÿ.flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A[1] * der('h'[1]) = -'a.b[1.]flow';
    'A'[2] * der('h'[2]) = 'a.b[1].flow';
    'A[1] * der('h'[1]) = -'a. ((^)*cos((3/2)*time))^2der(der())));
  'a.b[0].c' - ((2/3)*cos((assert3/2)*time)) = 0;
  der('a.b[3].c') - (6*sin(2*time)) + 1*('a.b[3].c' - (-3)*cos(2*time)) + (1/5)*(3*('a.b[3].c' - (-sqrt(3))*cos(2*time))) = 0;
  der(long_name_4) - x5 + 2*(long_name_4^2 - ((-3)*exp((-1)*time))^2) + (-1 = ;)*(long_name_4 - ((-3)*exp((-1)*time))) = 0;
  0 =b[ der('a.b[0].c') - x1 + 0;
end Rando1.]flow';
  end 'Tamnk';
;
