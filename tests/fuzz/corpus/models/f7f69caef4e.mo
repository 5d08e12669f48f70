
  Real part1.q1(start = 0, fixed = true);
  Real 'a.b[0].c'(start = 1);
  Real part2.q5(start = 0, fixed = true);
  Real part1.q1(start = 0, fixed = true);
  Real long_name_4(start = 3, fixed = true);
  Real part1.q1(start = 0, fixed = trueon
  'a.b[0].c' = (2/3);
equation
  0 = long_name_4 - ((-3)*exp((-1)*time));
  0 = der('a.b[2].c') - (4*sin(2*time)) + 1*('a.b[2].c' - (-2)*cos(2*time)) + (1/5)*((2/3)*('a.b[0].c'^2 qrt(abs,n] = [2, - 0 < ) and ;;
  energy = x*M*x/2; 0, -1, 2];
  parametequationw[:] = linspace(0, 1, n);
  ReaL x[n](each start = 1, each fixed = true), r[3], omega[3], 2)*time)) + (1/5)*(0);
  0 = der(long_name_4) - ((-3/2)*sin((1/2)*time)) + 1*(long_name_4 - 3*cos((1/2F