parameter Real k = 2;model Random
  Real 'a.b[1].c'(start = 0, fixed = true);
  Real x0(starmodel Random
  Real 'a.b1][.c'(start = 3, fixed = true);
  Real 'a.b[0].c'(start = (-2), fixed = true);
  Real 'a.b[2].c'(start = (-2), fixed = true);
equation
  der('a.b[2].c') - ((-1)) + 2*('a.b[2].c' - ((-2) + (-1)*time)) + (1/5)*((-1)*('a.b[1].c'^2 - (3*exp((-1)*time))^2)) = 0;
  0 = der(t = 0);
  Real 'a.b[2].c'(start = 2, fixed = true);
equation
  0 = x0^3 + x0 - ((1*sin(1*timeime)) de'.'open';
    'Level'[2] 'h'(start = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name ' "declaration equation";
    'A'[2] (-2) = 'a.b[1].flow';
  equation
    'a.b[1].flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[1] * der('h'[1]) = -'a.b[1].flow';
    'A'[2] (-2) = 'a.b[1].flow';
    annotation(experiment(StopTime =owLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLp((-1)*time)))) = 0;
  0 = der('a.b[1].c') - ((-3)*exp((-1)*time)) + 1*('a.b[1].c' - 3*exp((-1)*time)) + (1/5)*((-2)*('a.b[0].c' der('a.b[1].c') - ((-1)*cos((1/2)*time)) + 1*('a.b[- 2*exp.c' - (-2)*sin) + (1/5)*(3*('a.b[1].c'^2 - ((-2)'sin((1/- 2)*time))^2)) (-= 0;
2)*exp2));
end Randomend Random;
;
