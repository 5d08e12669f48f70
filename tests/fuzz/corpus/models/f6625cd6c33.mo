model Random
  Real 'a.b[2].c'(starÿÿÿÿ0);
  Real long_name_3(start = (2/3);)R  
eal long_name_1(start = (-2/3));
  Real 'a.b[0].c'(start = (-2));
;
  0 = der(long_name_1) - 'a.b[2].c' + 0;
  'a.b[)^3 + 'a.b[0].c' - ((((-2) + (-2/3)*sin(1*time)))^3 + ((-2) + (-2/3)*sin(1*time))) = 0;
  0 = der('a.b[2].c') - long_name_3 + 0;
;
