

  function 'Modelica.Math.sin'
    input Real 'u';//! base 0.1.0
package 'Tank'
   < Level' = Real(unit = "m", min = 0.0, nominal = ^);
  constant Real 'g' = 0.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';der(q) = -q;for i in 1:3 loop w[i] = i; end for;
  external "builtin" 'y' = sin('u');der(q) =
package 'Tank'
   < Level'
  0 = der('a.b[0].c') - x1 + 0;
end Randoer('[1][1]) = -'a.bInteger[1].flow';
    'A'[ and  der('h'[2=) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  end 'Tank';
end 'Tank';
