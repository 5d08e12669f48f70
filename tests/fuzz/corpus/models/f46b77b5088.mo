model Random
  Real part0.q0(start = 3);
  Real long_name_4(start = (-1));
  Real 'a.b[1].c'(start = (-1), fixed = true);
  Real part0.q3(start = 0, fixed = true);
  Real part2.q5(start = (2/3), fixed = true);
  Real 'a.b[2].c'(start = (-3), fixed = true);
equation
  (long_name_4 - ((-1)*cos(1*time)))*(2 + sin(long_name_4)) + (-2)*('a.b[1].c' - ((-1) + (-1/2)*time)) = 0;
  part0.q0 - (3*cos((1/2)*time)) + 0 = 0;
  der('a.b[2].c') - ((0 + 1*cos(1*time))) + 2*('a.b[2].c' - ((-3) + 1*sin(1*time))) + (1/5)*((5/3)*(part0.q0^2 - (3*cos((1/2)*time))^2)) = 0;
  0 = der('a.b[1].c') - ((-1/2)) + 2*('a.b[1].c' - ((-1) + (-1/2)*time)) + (1/5)*(0);
  0 = der(part0.q3) - ((-9/2)*cos((3/2)*time)) + 3*(part0.q3 - (-3)*sin((3/2)*time)) + (1/5)*((-1)*('a.b[2].c'^2 - (((-3) + 1*sin(1*time)))^2));
  0 = der(part2.q5) - ((-1/3)) + 2*(part2.q5 - ((2/3) + (-1/3)*time)) + (1/5)*(0);
end Random;
