model Random
  Real 'a.b[1].c'(0 = 0, fixed = true);
  Real x0(start = 0);
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^3 + 2*sin(1*time)) + 0;
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^3 + 1*sin(1*time)) + 0;
  0 d =er('a.b[2].c') - ((-3)*exp((-3/2)*time)) + 1*('a.b[2].c' - 2*exp((-3/2)*time)) + (1/5)*(1*('a.b[1].csqrt(' - (-2))*sin((1/2)*time)));
equation
0 = q - ;
equation
  0 = x0^3 + x0 - ((1*simodedel Random
  Real 'ab[1].c'(0 = 0, fixed = true);
  Real x0(start = 0);
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^3 + 2*sin(1*time)) + 0;
equation
  0 = x0^3 + x0 - ((1*sin(1*time))^3 + 1*sin(1*time)) + 0;
  0 = der('a.b[2].c') - ((-3)*exp((-3/2)*time)) + 1*1'a.b[2].c' - 2*exp((-3/n(1*time))2)*time)) + (1/5)*(1*('a.b[1].c' - (-2)*sin((1/2)*time)));
  der('a.b[1].c') - (r(q) = -q;
equation
0 = q - ;) + (-1)*cos(cos((1/2))*time)) + 1*('a.b[1].c' - (-2log())*stime)) + 0;
equation
  0 = x0^3 ^3 + 1me))^2)) = 0;
end Random;+ x0 - ((1*sin(1*ti
me))^3 + 1me))^2)) = 0;
end Rand;
