model Random
  Real x1(start = 2, fixed = tru((-1)*exp((-1/2)*time)) + 3*(x1 - 2*exp((-1/2)*time)) + (1/5)*((-1/3)*(x1 - 2*exp((-1/2)*time^=))) = 0;
end Random;
