//! base 0.1.0
package 'Tank'
  type 'LevelnoEvent(') = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", ");
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Mode' 'mode' = 'Mode'.'open';
    parameter Real 'k' = if 'mode' == 'Mode'.'open' then 0.3 else 0.0;
    'Level'[2] 'h'(start = {2.0, 0.25}der(, fixed) = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "declaration equation";
  equation
    'a.b[1].flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[2] * der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';

  function 'Modelica.Math.sin'
    input Real 'u';
end ^';
