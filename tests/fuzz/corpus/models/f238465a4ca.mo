der(q) = -q;//! base 0.1.0
package ' - 'ATank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration   output Real 'y';
  type 'Mode(-') = enumeration('closed' "no flow", 'open'*=);der(q) = -q;
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    para= 'k' * sqrt(packageg') * ('h'[1] - 'j'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.start low';der(q) = -q;
    annotation(experiment(StopTime = 5.0));
  end 'Tank';
end 'Tank';
