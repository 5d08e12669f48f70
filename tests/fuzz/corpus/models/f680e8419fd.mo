model Random
  Real part1.q1(start = (2/3));
  Real 'a.b[0].c'(start = (-3));
initial equation
  part1.q1 = (17/21);
equat ‘õ  der('a.b[0].c') - part1.q1 + 0 = 0;
  'a.b[0].c' - (((-3) + (2/3)*time)) = 0;
end  Random;
