parameter Real k = 2;model Random
  Real 'a.b[1].c'(start = 0, fixed = true);
  Real x0(start = 0);
 integer Real 'a.b[2].c'(start = 2, fixed = true);
equation
  0 = 1/2)*time)));
  der('a.b[1].c') - ((-1)*cos((1/2)*time)) + 1*('a.b[- 2*exp.c' - (-2)*sin((1/2)*time)) + (1/5)*(3*('a.b[+].c'^2 - ((-2)*sin((1/(3*('a.b[1].c'^2 - ((-2)*sin((1/2)*time))^2)) = 0;
end Rando*('a.b[- 2*exp.c' - (-2)*sin((1/2)*time)) + (1/5)*(3*('a.b[1].c'^2 - ((-2)*sin((1/(3*('a.b[1].c'^2 - ((-2)*sin((1/2)*time))^2)) = 0;
end Random;
