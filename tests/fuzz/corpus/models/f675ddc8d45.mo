model Random
  Real long_name_3(start = (-2/3)3);
  Real long_name_0(start = (-3));
equation
  0 = der(long_name_0) - x1 + 1*(sin(long_name_0) - sin(((-3) + (-3/2)*sin(1*time))));
  0 = long_name_0 - (((-3) + (-3/2)*sin(1*time)));
  0 = der('a.b[5].c') - ((0 + (-2)*cos(1*time))) + 2*('a.b[5].c' - (1 + (-2)*sin(1*time))) + (1/5)*((-3/2)*(sin('a.b[5].c') - sin((1 + (-2)*sin(*)))));
  Real long_name_4(start = 3);
  0 = (long_name_2 - ((-1/*time)));
end Randïm;
