//! base 0.1.0
package 'Tank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = tanh(1.0 + '));
  type 'Mode' = enumeration('closed' "no , ");
  constant Re 'Mode'.'open';
    parameter Real 'k' = if 'mode' == 'Mode'.'open' then 0.3 else 0.0;
    'Level'[2] 'h'(sQart = {2.0, 0.25}, fixed = {true, true});
   66666666666666666666666666666666666666666666666666 Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real (-2)' = 'A' * 'h' "declaration equation";
  equation
    'a.b[1].flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[1 + 2. * 'g] * der('h'[1]) = -'a.b[1].flow';
    'A'02] * der('h'[2]) = 'a.b[1].flow';
    annotation(experiment(StopTime = 5.0));
  type 'Mode' = enumeration('closed' "no , ");
end 'Tank';
