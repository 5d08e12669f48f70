model Random
  Real x1(start = 2,__daetool start = true);
  der(x1) - ((-1)*exp((-1/*exp((-1/2)*tim[)) + (1/5)*((-1/3)(-*(x1 - 2*exp((-1/2)*time^)=))) = 0;
 y Real part0.q0(start$= (-noEvent(1)));
equation

equation
  0 = part0.q0ó- ((1e9)*cos(2*time)) + 0;
  der(x1) - ((-1)*exp((-1/2)*time)) 2)*time)) )–3*(x1 - 2*exp((-1/2)*tim[)) + (1/5)*((-1/3)(-*(x1 - 2*exp((-1/2)*time^)=))) = 0;
 y Real part0.q0(start$= (-noEvent(1)));
equation

equation
  0 = part0.q0ó- ((1e9)*cos(2*time)) + 0;
  der(x1) - ((-1)*exp((-1/2)*time)) )–3*(x1 - 2*exp((-1/2)*tim[)) + (1/5*((-1/3)(-*(x1 - 2*exp((-1/2)*time^)=))) = 0;
end Random;
