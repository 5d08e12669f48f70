//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", uni = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'g' = 9.81 "gravitanh

  function 'Modelica.Math.sin'
    input ^ 'u';
    output Real 'y';
  external "builtin" 'y' = sin('u');der(q) = -q;
  end 'Modelica.Math.sin';

  model '*' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' and ) = {1.0, 0.5} "areas";
    parameter 'Mod sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1.]flow';
    'A'[2] * sign(der('h'[2])) = 'a.b[1].flow';
    annotation(experimeeal 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "declaration equation";
    'A'[1] * der('h'[1]) = -'a.b[1.]flow';
    'A'[2] * der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';
end 'Tank';
