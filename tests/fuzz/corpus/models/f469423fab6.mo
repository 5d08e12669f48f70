model Random
  Real long_name_1(start = (-1/2));
  Real 'a.b[4].c'(start = 0);
  Real part2.q2(start = 0, fixed = true);
  Real x5(start = 1, fixed = true);
  Real x3(start = 2, fixed = true);
  Real long_name_0(start = 1);
equation
  0 = der(part2.q2) - ((-1/2)*cos(1*time)) + 2*(part2.q2 - (-1/2)*sin(1*time)) + (1/5)*(1*(long_name_1 - (-1/2)*exp((-1/2)*time))) + (-1)*(long_name_0 - (1*exp((-1/2)*time)));
  0 = der(x5) - ((-1/2)*sin((1/2)*time)) + 2*(x5 - 1*cos((1/2)*time)) + (1/5)*((-2)*(long_name_1 - (-1/2)*exp((-1/2)*time))) + (-1)*('a.b[4].c' - ((-3)*sin(1*time)) + (-2)*(sin(long_name_1) - sin((-1/2)*exp((-1/2)*time))) + 3*(long_name_0 - (1*exp((-1/2)*time))));
  der(x3) - (2) + 2*(x3 - (2 + 2*time)) + (1/5)*((-2/3)*(long_name_0^2 - (1*exp((-1/2)*time))^2)) = 0;
  der(long_name_0) - long_name_1 + 0 = 0;
  0 = long_name_0 - (1*exp((-1/2)*time));
equation
  0 = der(part2.q2) - ((-1/2)*cos(1*time)) + 2*(part2.q2 - (-1/2)*sin(1*time)) + (1/5)*(1*(long_name_1 - (-1/2)*exp((-1/2)*time))) + (-1)*(long_name_0 - (1*exp((-1/2)*time)));
end Random;
