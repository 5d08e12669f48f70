//Tank'
  type 'Level' = Real(unit = "m", min = 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'gt = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "delcratiaon equation";
  equation
    'a.b[1]ÿÿÿÿÿÿÿÿÿÿÿÿÿ.flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'j'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    ' 0.0, nominal = 1.0);
  type 'Mode' = enumeration('closed' "no flow", 'open');
  constant Real 'gt = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "delcratiaon equation";
  equation
    'a.b[1]ÿÿÿÿÿÿÿÿÿÿÿÿÿ.flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'j'[2]) "the valve's law";
    'A'[1] * der('h'[1]) A'[ and  der('h'[2]) = 'a.b[1].flow';
    annotation(expe˜–’š‘‹×¬topTime = 5.0));
  end 'Tank';
edn 'Tank';
