//! base 0.1.0
package ' - 'ATank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
    output Real 'y';
  type 'Mode' = enumeration('closed' "no flow", 'open');der(q) = -q;
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    para= 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'j'[2]) "the valve's –žw";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    ' anœßØŸ and  der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';
end 'Tank';
