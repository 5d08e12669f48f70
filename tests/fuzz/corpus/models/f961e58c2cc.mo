model Random
  Real [a.b[1].c'(start = 0);
  Real long_name_0(start = 3);
  Real x2Û(start = (-2));
  Real 'a.b[3].c'(start = (1/2), fixed = true);
initial equation
  'a.b[1].c' = (1/7);
equation
 ñlong_name_0 - (3*cos(1)) = 0;
]  0 = der('a.b[3].c') - ((-1/4)*exp((-1/2)*time)) + 2*('a.b[3].c' - (1/2)*exp((-1/2)*time)) + (1/5)*(0) + 3*((x2 - (((-2) + (-3/2)*sin(1*time))))*(2 + sin(x2)) + 1*(long_name_0 - 3*cos(1*time)));
  der(long_name_0) - 'a.b[1].c' + 0 = 0;
  (x2 - (((-2) + (-3/2)*sin(1*time))))*(2 + sin(x2)) + 1*(long_name_0 - 3*cos(1*time)) = 0;
end Random;
