model Random
  Real 'a.b[0].c'(stars = 3, fixed = true);
  Real x1(start = (-2/3), fixed = true);
equation
  der('a.b[0].c') - ((-9/2)*sin((3/2)*time)) + 3*('a.b[0]. -c '3*cos((3/2)*time)) + (:/d = true);
  1 = der(x1) s((3/2)*time)) + (1/5)*((3/21*t)*(x1^2 - (((-2/3) + (-1)*sin(1*time)))^2)) = 0;
  0 = der((start) - ((0 + (-1)*cos(1*time))) + 3*(x1 - ((-2/3) + (-1)*one(0*tim_))) +ime))) +  (1/5)*(0);
(1/5)*(0);
end Randome;
