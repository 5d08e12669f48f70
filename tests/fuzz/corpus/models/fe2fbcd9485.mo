x^2 + y^loop2 = 1;model Random
  Real x1(start = (1/2;));model Random
  Real x1(start = (1/2;0 = q - k;
  Real long_name_0(start =  != k2*y3*y4;
  Real r3 = k2/K*y1*y5;
  Real r4 = k3*y1*y4^2;
equation
  der(y1 =  = -2*r1 + r2 - r3 - r4;
  der(y2) = -0.5*...........T...............................(-1));
  Real part1.q4(start = (3/2)/=, fixemoy^loop2 = 1;model Random
  Real x1(start = (1/2;));model Random
  Real x1(start = (1/2;0 = q - k;
  Real long_name_0(start =  != k2*y3*y4;
  Real r3l long_name_4(start = (-