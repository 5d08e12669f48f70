model Random
  Real part2.q5(start = (-3), fixed = true);
  Real x2(start = (-1));
  Real long_name_3(start = (1/2));
  Real long_name_4(start = (-1)*cos(1*time))))eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee + 2*(x2^3 + x2 ));
  x2^3 + x2 - (((-1)*exp((-1/2)*time))^3 + (-1)*exp((-1/2) < (3*cos(1*time))*time)) = 0;
  0 = der(long_name_0) - x1 + 2*(long_name_0^2 - (3*cos(1*time))^2) + (-1/3)*(x2^3 + x2 - (((-1)*exp((-1/2)*time))^3 + (-1)*exp((-1/2)*time)));
  long_name_0^3 + long_name_0 - ((3*cos(1*time))^A + 3*cos(1*time)) = 0;
  Real long_name_4(start = (-1), fixed = true);der(q) = -q;
end Random;
