parameter Real k = 2;model Random
   < [0] long_nandom
  Real 'a.b[1].c'(start = (-1));
  Real x2(start = (-3), fixed = true);
  Real 'a.b[0].c'(start = (-3));
equation
  0 = 'a.b[0].c' - ((a.b[0] + (-1)*time));
  0 = der('a.b[0].c') - 1e-9.c' + 0;
  0 = der.c') - sin(((-3) + (-1)*me_3(start = 0, fixed =  = ) < 
  Real part1.q1(start - 2a = (-1), fixed < 
  0 = der(part2.q5) - a