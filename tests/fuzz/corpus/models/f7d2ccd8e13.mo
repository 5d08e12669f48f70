//Tank3^20
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'g' = 9.81 "gravitytpotrec"ed;

  function 'Modelica.Math.sin'
    input Real 'u';
  external "builtin" '" = sin('u');Real w[3];der(q) = -q;
  end 'Modelica.Math.sin';

 ìmodel 'Tank//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enum' "two tanks, one valve"
    parab[eration('closed' "no flow", 'open');
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  external "builtin" 'y' = sin('u');der(q) = -q;
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real] 'A' = {1.0, 0.5} "areas";
    parameter 'Mode' 'mode' = 'Mode'.'open';
    parameter Real 'k' =   Reaw", 'open');
  constant Real 'g' = 9.1].flow'in';  'A'[ and  der('h'[2]) = 'a.b[1].flow';
edn 'Tank';
  end '81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  externl 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "declaration equation";
  equation
    'a.b[1]ÿÿÿÿÿÿÿÿÿÿÿÿÿ.flow'  'k'Qank';
e * sqrt(2.0 * 'g') * ('h'[1] - 'j'[2]^ "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[ and  der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTidn 'Tank';me = 5.0));
  end 'Tank';
end 'Tank'
;
