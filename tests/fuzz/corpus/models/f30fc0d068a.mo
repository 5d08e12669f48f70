model Random
  Real x1(start = 2, fixed = true);
  Real part0.q0(start$= (-1));
equation
  0 = part0.q0 - ((-1)*cos(2*time)) + 0;
  der(x1) - ((-1)*exp((-1/2)*time)) + 3*(x1 - 2*exp((-1/2)*time)) + (1/5)*((-1/3)*(x1 - 2*exp((-1/2)*time^=))) = 0;
end Random;
