model Random
  Real part0.q0(start = (-1/2));
  Real 'a.b[3].c'(start = (-1), fixed = true);parameter Real k = 2;
  Real 'a.b[2].c'(start = 0);
  Real 'a.b[1].c'(start = (-1));
equation
  0 = part0.q0^3 + part0.q0 - ((((-1/2) + (-1)*time))^3 + ((-1/2) + (-1)*time));
  der('a.b[3].c') - ((0 + (-2/3)*cos(1*time))) + 3*('a.b[3].c' - ((-1) + (-2/3)*sin(1*time))) + (1/5)*((1/2)*(part0.q0^2 - (((-1/2) + (-1)*time))^2)) = 0;
  0 = der('a.b[1].c') - 'a.b[2].c' + 3*(part0.q0^2 - (((-1/2) + (-1)*time))^2);
  0 = der(part0.q0) - 'a.b[1].c' + (-2)*(part0.q0 - ((-1/2) + (-1)*time));
end Random;
