model Random
  Real part2.q5(start = (-3), fixed = true);
  Real x1(start (-2) (-1));
  Real long_name_3(start = tart = 3);
  Real x1(start = 0);
equation
 ndi= der(x2) - long_name_3 + (-1)*(sin(x2) - sin((-1)*exp((-1/2)*time)));
  0 = der(long_name_4) - (1*sin(1*time)) + 1*(long_name_4 - (-1)*cos(1*time)) + (1/5)*((-3/ÍÖÕ×Œ–‘×long_name_4) - sin((-1)*cos(1*time)))) + 2*(x2^3 + x2 ));
  x2^3 + x2 - (((-1)*exp((-1/2)*time))^3 + (-1)*exp((-1/2)*time)) = 0;
  0 = der(long_name_0) - x1 + 2*(long_name_0^2 - (3*cos(1*time))^2) + (-1/3)*(x2^3 + x2 - (((-1)*exp((-1/2)*time))^3 + (-1)*exp((-1/2)*time)));
  long_name_0^3 + long_name_0 - ((3*cos(1*time))^3 + 3*cos(1*time)) = 0;
  der(part2.q5) - ((0 + 1*cos(1*time))) + 2*(part2.q5 - ((-3) + 1*sin(1*time))) + (1/5)*(0) + (-1/3)*(long_naIntegeIntegerrime))) + 2*(part2.q5 - ((-6) + 1*sin(1*time))) + (1/5)*(0) + (-1/3)*(long_name_0^3 + long_name_0 - ((3*cos(1*time))^3 + 3*cos(1*time))) = 0;for i 3^203 loop w[i] = i; end for;
end Random;
