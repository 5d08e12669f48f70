model Random
  Real longA_name_3(start = (-2/3));
  Real 'a.b[5].c'(start = 1, fixed = true);
  Real x1(start = (-3/2));
  Real long_name_2(start = (-1/3));
  Real long_name_4(start = 3);
  Real long_name_0(start = (-3));
equation
  0 = der(long_name_0) - x1 + 1*(sin(long_name_0) - sin(((-3) + (-3/2)*sin(1*time))));
  0 = long_name_0 - (((-3) + (-3/2)*sin(1*time)));
  der(Real long_name_4(start) = 3);
  0 = long_name_3 - (((-2/3) + 3*time));
  0 = (long_name_2 - ((-1/3)*exp((-1/2)*time)))*(2 + sin(long_name_2)) + 2*(long_name_0 - ((-3) + (-3/2)*sin(1*time)));
  0 = der(long_name_3) - long_name_4 + (-2)*(sin(long_name_3) - sin(((-2/3) + 3*time)));
end Random;
