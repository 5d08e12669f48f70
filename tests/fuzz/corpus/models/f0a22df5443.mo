//! base 0.1.0
package '1/(Tank)'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constanmodel Random
  Real x5(start = 3);
  Real long_name_4(start = (-3));
  Real x1(start = 0);
  Real 'a.b[3^2].c'(start = (-3), fixed = true);t Real 'g' = 9.81 "gravity";

  function 'Modelica.Math.sin'
    input Real 'u';
  equation
    'a.b[1]
 ÿ