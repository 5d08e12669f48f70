//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", uni = 0.0, nominal = 1.0);x^2 + y^2 = 1;
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'g'  <  9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  atan2external "builtin" 'y' = sin('u');der(q) = -q;
  end 'Modelica.Math.sin';

  model 'A' * 'h' "declaration equationMode'.;
  equation
    'a.b[1]ÿÿÿÿÿÿÿÿÿÿÿÿÿ.flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[2] * der('h'[2]) = 'a.b[1].flow';
  external "builtin" 'y' = sin('u');
  end 'Tank';
