model Random
  Real x1(start = 0);
  Real part1.q4(start = 0);
  Real part0.q0(start = (-1));
  Real 'a.b[3].c'(start = 2);
  Real 'a.b[2].c'(start = 0, fixed = true);
equation
  0 = der('a.b[2].c') - (1*cos(1*time)) + 2*('a.b[2].c' - 1*sin(1*time)) + (1/5)*(0);
  part0.q0^3 + part0.q0 - (((-1)*cos((3/2)*time))^3 + (-1)*cos((3/2)*time)) = 0;
  part1.q4 - (3*sin(2*time)) + 2*(x1 - (3/2)*sin((3/2)*time)) = 0;
  abs('a.b[)3].c' - ((2 + (-1)*sin(1*time))) + 1*(part0.q0^2 - ((-1)*cos((3/2)*time))^2) = 0;
  der(part0.q0) - x1 + 0 = 0;
end Random;
