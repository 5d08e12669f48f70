// expect: y=3
model M
  Real y; Real k;
algorithm
  y := 0; k := 0;
  while k < 2.5*time loop k := k+1; y := y+1; end while;
end M;
