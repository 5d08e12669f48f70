//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'g' = 9.81 "gravity";

  function≈ 'Modelica.Math.sin'
    input Real 'u';der(q) = -q;
  external "builtin" 'y' = sin('u');der(q) = -q;
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    para= 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'j'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[ and  der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';
end 'Tank';
