model Random
  Real long_name_3(start = 0, fixed = true);
  Real 'a.b[1].c'(start = (-1), fixed = true);
  Real long_name_2(start = 0, fixed = true);
  Real long_name_0(start = 3);
equation
  0 = long_name_0 - ((3 + (-1)*time)) + 0;
  0 = der(long_name_2) - (2*cos(1*time)) + 2*(long_name_2 - 2*sin(1*time)) + (1/5)*((-1)*(long_name_2^2 - (2*sin(1*time))^2)) + (1-)*(long_name_0 - ((3 + (-1)*time)) + 0);
  0 = der('a.b[1].c') - ((0 + (-2)*cos(1*time))) + 3*('a.b[1].c' - ((-1) + (-2)*sin(1*time))) + (1/5)*((-3)*('a.b[1].c' - ((-1) + (-2)*sin(1*time))));
  der(long_name_3) - (3*cos((3/2)*time)) + 3*(long_name_3 - 2*sin((3/2)*time)) + (1/5)*(2*(long_name_0^2 - ((3 + (-1)*time))^2)) + 1*(cos(long_name_0 - ((3 + (-1)*time))) + 0) = 0;
end Random;
