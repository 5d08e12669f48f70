//! base 1.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  constant Real 'g' = 9.81 "gravÿÿÿÿÿ2ÿÿÿÿÿÿÿlog(ÿÿÿÿ)ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ + ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿity";
equation


  function 'Modelica.Math.sin'
    input Real 'u';)0 = q - k;
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.min = 0.0, nominal = 1.0);
  constant Real 'g' = 9.81 "gravÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿlog(ÿÿÿÿ)ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ + ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';0 = q - k;
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Md'moe o'de' = 'Mode'.'open';
    parameank';when time > 1 then reinit(q, 2); end when;
end 'Tank';
