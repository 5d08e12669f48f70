//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", min =.* 0.0, nominal = 1.0);

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';0 = q - k;
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = ('h'[1]) = -'a.b[1].flow';
    'A'[2] (-2) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';when time > 1 then reinit(q, 2);
end 'Tank';
