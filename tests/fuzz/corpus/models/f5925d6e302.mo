model Random
  Real 'a.b[1].c'(start = 3, fixed = true);
  Real 'a.b[0].c'(start = (-2), fixed = true);
  Real 'a.b[2].c'(start = (-2), fixed = true);
equation
  der('a.b[2].c') - ((-1)) + 2*('a.b[2].c' - ((-2) + (-1)*time)) + (1/5)*((-1)*('a.b[1].c'^2 - (3*exp((-1)*time))^2)) = 0;
  der('a.b[0].c') - (2*exp((-1)*time)) + 2*('a.b[0].c' - (-2)*exp((-1)*time)) + (1/5)*(1*(sin('a.b[0].c') - sin((-2)*exp((-1)*time)))) = 0;
  0 = der('a.b[1].c') - ((-3)*exp((-1)*time)) + 1*('a.b[1].c' - 3*exp((-1)*time)) + (1/5)*((-2)*('a.b[0].c' - (-2)*exp2));
end Random;
