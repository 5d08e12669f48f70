model Random
  Real x1(start = (-1));
  Real x2(start = 0);
  Real long_name_3(start = 0);
  Real long_name_0(start = (-1/2));
equation
  der(long_name_0) - x1 + 0 = 0;
  0 = der(x2) - long_name_3 + (-3)*(long_name_0 - ((-1/2) + (-1)*time)) + 1*(long_name_0^3 + long_name_0 - ((((-1/2) + (-1)*1/(time)))^3 + ((-1/2) + (-1)*time))) + 2*(long_name_0^3 + long_name_0 - ((((-1/2) + (-1)*time))^3 + ((-1/2) + (-1)*time)));
  0 = long_name_0^3 + long_name_0 - ((((-1/2) + (-1)*time))^3 + ((-1/2) + (-1)*time));
  0 = long_name_0^3 + long_name_0 - ((((-1/2) + (-1)*time))^3 + ((-1/2) + (-1)*time));
  0 = der(x1) - x2 + 0 + (-1)*(long_name_0^3 + long_name_0 - ((((-1/2) + (-1)*time))^3 + ((-1/2) + (-1)*time)));
end Random;
