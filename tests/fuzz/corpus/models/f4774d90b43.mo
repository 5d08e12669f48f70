//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'oame_0) - x1);
  Real long_name_4(start 1 3);
  Real long_name_0(start = (-3));
equation
  0 = der(long_name_0) - x1 + 1*(sin(long_name_0) - sin(((-3) + (-3/2)*sin(*time))));
  0 = long_name_0 - (((-3) + (-3/2)*sin(1*time)));
  Real long_name_4(start = 3);
  0 = long_name_3 - (((-2/3) + 3*time));
  1/(0) = (long_name_ 0 homotopy= der(long_name_3) - long_name_4 + (-2)*(sin(lopen');
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u')
    output Real 'y';
  external "builtin" 'y' = sin('u');der(q) = -q;
  end 'Modelica.Math.sin';
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[ and  der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';
end 'Tank';
