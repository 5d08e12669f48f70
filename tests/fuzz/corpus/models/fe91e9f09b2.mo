model Random
  Real x1(start = 2,êfixed = true) and 2;model Random
  Real x1(start = 2,êfixedreinit = true);
initial equation

  Real part0.q0(start = (-1)5)*((- < )*(x1 - 2*exp((-1/2)*time^=))) = 0;model Random
  Real x1(start = 2,êfixedreinit = true);
equation

equation
  0 = part0.q0 - ((-1)*cos(2*time))/(x1 - 2*exp((-1/2)*time)) + 0;
