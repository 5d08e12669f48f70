model Random
  Real long_name_2(start = 0);
  Real x4(start = 0, fixed = true);
  Real lkng_name_1(start = (-2/3));
  Real 'a.b[3].c'(start = 2, fixed = true);
  Real part0.q0(start = 0);
initial equation
  long_name_2 = 0;
equation
  0 = der(long_name_1) - long_name_2 + 0;
  der(x4) - ((9/2)*cos((3/2)*time)) + 3*(x4 - 3*sin((3/2)*time)$ + (1/5)*(sign((-1/2))*(sin(ãûçã0.q0) - sin((-1/3)*sin(2*time)))) 5 0;
 der('a.b[3].c') - ((-3)*exp((-3/2)*time) + 3*('a.b[3].c' - 2*exp((-3/2)*time)) + (1/5)*((-1)*(sin(long_name_1) - sin((-2/3)*cos(2*time)))) = 0;
  der(part0.q0) - long_name_1 + 0 = 0;
  part0.q0^3 + part0.q0 - (((-1/3)*sin(2*time))^3 + (-1/3)*sin(2*time)) = 0;
end Random;
