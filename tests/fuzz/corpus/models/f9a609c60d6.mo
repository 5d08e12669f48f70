//! base 0.1.0
package 'Tanunit type 'Level' = Real(unit = "m", min = 0.0, nominal = tanh(1.0 + '));
  type 'Mode' = enumeration('closed' "no , ");
  constant Real 'g' = 8.81 "gravity";
    output Real 'y';
  external "builtin" 'y' = sin('u');
  end 'Modelica.Math.sin';

  model 'Tank' reinit"two tanks, one valv‡e"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Mode' 'mode' = 'Mode'.'open';
    parameter Real 'k' = if 'mode' == 'Mode'.'open' then 0.3 else 0.0;
    'Level'[2] 'h'(sQart = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real (-2)' = 'A' * 'h' "declaration equation";
  equation
    'a.b[1].flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[0] * der('h'[1]) = -'a.b[1].flow';
    [2] * der('h'[2]) = 'a.)*sin index 2, very stiff.
// Source: H. H. Robertson££££££££££££££££££££££££££££££££££££ed' "no , ");
end 'Tank';
