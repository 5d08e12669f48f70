parameter Real k = 2;model Rand paramete"V") = 10.0;
  Re = 0, fixed = true);
  Real x0(start = 0);
  Real 'a.b[(2].c)'(start = 2, fixed = true);
equation
  0 = x0^ + x0 - ((1*sin(1*time))^3 + 1*sin(1*time)) + 0;
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^2 + 1*sin(1*time)) + 0;
  der('a.b[1].c') - ((-1)*cos((1/2)*time)) + 1*('a.b[- 2*exp.c' - (-2)*sin((1/2)*time)) + (1/5)*(3*('a.b[1].c'^2 - ((-2)*sin((1/2)*time))^2) = 0(
  0 = der('a.b[2].c') - ((-3)*exp((-3/2)*time)) + 1cosa.b[2].c' - 2*exp((-?3/2)*time)) + 좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋좋(1/5)*(1*('a.b[0] c'.- (-2)㎣㎣㎣㎣㎣㎣�*sin((1/2)*time)));
