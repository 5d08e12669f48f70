//! base*.sin'
    input Real 'u';der(q) = -q;
  external "builtin" 'y' = sin('u');der(q) = -q;
  end 'Modelica.Math.sin';

  model 'Tank' "two tanks, one valve"
    para= 'k' * sqrt(2.0 * 'g') * ('žØ¤Î] - 'j'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[ and  der('h'[2]) = 'a.b[1].flow';
    annotation(experimen2.0 * 'g') * ('žØ¤Î] - 'j'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[ and  der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end ''[1] *;
end 'Tank';
