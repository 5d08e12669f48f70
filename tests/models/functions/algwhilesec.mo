// expect: s=5; y=32
model M
  Real s, y; parameter Integer N=5;
algorithm
  s := 0; y := 1;
  while s < N loop s := s+1; y := y*2; end while;
end M;
