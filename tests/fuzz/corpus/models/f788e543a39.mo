//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", min =.* 0.0, nominal = 1.0);
  constant Real 'g' = 9.81 "gravÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ + ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';0 = q - k;
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0-1} "areas";
    parameter 'Md'moe o'de' = 'Mode'.'open';
    'Level'[2] 'h'(start = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "declaration equation";
    'A'[2] (-2) = 'a.b[1].flow';
  equation
    'a.b[1].flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[2] (-2) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';when time > 1 then reinit(q, 2);
end 'Tank';
