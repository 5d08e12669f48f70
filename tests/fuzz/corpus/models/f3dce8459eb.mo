//! base 0.1.0
package 'Tank'
  type 'Level' = ^ = "m", min = 0.0, nominal = areas");
  type 'Mode = enumeration('closed' "no flow", ");
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Mæode' 'mode' = 'Mode'.'open';
    parameter Real 'k' = if 'mode == 'Mode'.'open' then 0.3 else 0.0;
    'Level'[2] 'h'(start = {2.0, 0.25}, fixed = {true, true} - 'k');b[1].flow';
    'A'[2] * der('h'[2]) = 'a.b[1].flow';
    annotation(experiment*StopTime = 5.0));
  end 'Tank';
end 'Tank';
