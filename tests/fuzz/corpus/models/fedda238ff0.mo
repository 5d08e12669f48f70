//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = tanh(1.0 + '));
  type 'Mode' = enumeration('closed' "no , ");
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  external "builtin" 'y' = sin('u');

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Mode' 'mode' = 'Mode'.'open';
    pder('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end '1e400';
end 'Tank';
