model Random
  Real part0.q0(start = 2);
  Real 'a.b[1].c'(start = (-2), fixed = true);
equation
  der('a.b[1].c') - (4*sin(2*timetime) + 1*('a.b[1].c' - (-2)*cos(2*time)) + (1/5)*(2*(part0.q0 - (2 + (-2)*sin(1*time)))) + (-1)*(part0.q0^3 + part0.q0 - (((2 + (-2)*sin(1*time)))^3 + (2 + (-2)*sin(1*time))) + 0) = 0;
  part0.q0^3 + part0.q0 - (((2 + (-2)*sin(1*time)))^3 + (2 + (-2)*sin(1*time))) + 0 = 0;
end Random;
