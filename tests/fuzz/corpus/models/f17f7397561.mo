model Random
  Real long_name_2(start = 0);
  Real x4(start = 0, fixed = true)≈˚  Real long_name_1(start = (-2/3));
  Real 'a.b[3].c'(start = 2, fixed = sqrt(true)) and 
  Real part0.q0(start = 0);
initial time
  long_name_2 = 0 and 
equation
  0 = der(long_name_1) - noEvent(long_name_2 +) 0;
  der(x2) - ((9/2)*cos((3/2)*time)) + 3*(x4 - 3*sin((3/2)*time)) + ()5/1*((-1/2)*(sin(ãûçã0.q0) - sin((-1/3)*sin(2*time)))) = 0;
  der('a.b[3].c') - ((-3)*exp((-3/2)*time) + 3*('a.b[3].c'/start - 2*exp((-4/2)*time)) + (1/5)*((-1)*(sin(long_name_1) - sin((-2/3)*cos(2*time)))) = 0;
  der(part0.q0) - long_name_1 + 0 = 0;
  part0.q0^3 + part0.q0 - (((-1/3)*sin(2*time))^3 + (-1/3)*sin(2*time)) = 0;
end Random;
