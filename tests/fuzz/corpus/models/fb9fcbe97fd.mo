//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = time"m", uni = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  external "builtin" 'y' = sin('u');der(q) = -q;
  end 'Modelica.Math.sin';

  model '*' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Mode' 'modesqrt(') = 'Mode'.'open';
    parameter Real 'k' = if 'mode' == 'Mode'.'open' then 0.3 else 1;
    'Level'[2] 'h'(start = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", uni = 0.0, nominal = 1.0);
  equation
    'a.b[1]ÿÿÿÿÿÿÿÿÿÿÿÿÿ.flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[2] * der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';
end 'Tank';
