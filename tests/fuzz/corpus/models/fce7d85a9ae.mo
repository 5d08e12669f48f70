model Random
  Real x1(start = 2, fixed er(x1) - ((-1)*exp((-1/2*(x1 - 2*exp((-1/2)*time)) + 3*(x1 - 2*) + (1/5)*((-1/3)*(x1 - 2*exp((-1/2) = *(x1 - 2*exp((-1/2)*time))*time^=))) = 0;
end Random;eal
 lt =äe(-2a