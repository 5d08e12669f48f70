model Random
  Real 'a.b[1].c'(start = 0, fixed = true);
  Real x0(start = 0);
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^3 + 1*sin(1*time)) + 0;
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^3 + 1*sin(1*time)) + 0;
  0 = der('a.b[2].c') - ((-3)*exp((-3/2)*time)) + 1*('a.b[2].c' - 2*exp((-3/2)*time)) + (1/5)*(1*('a.b[1].c' - (-2)*sin((1/2)*time)));
  der('a.b[1].c') - ((-1)*cos((1/2)*time)) + 1*('a.b[1].c' - (-2)*sin((1/2)*time)) + (1/5)*(3*('a.b[1].c'^2 - ((-2)*sin((1/2)*time))^2)) = 0;
end Random;
