// expect: M[1,2] = 20; M[2,1] = 26; t = 52; q[2] = 9
model arraysumloops
  model C parameter Integer k; Real v[2] = {k*time, 2*k*time+1}; end C;
  C c[3](k = 1:3);
  Real q[2] = sum(c[k].v for k in 1:3) - {0, 6*time}; 
  Real M[2,2] = sum([i, i*j; i+j, j]*2*time for i in 1:2, j in 1:2) + [0, 2; 2, 0];
  Real t = sum(sum({i, i*j, i+j, j} for i in 1:2, j in 1:2))*time*52/33;
end arraysumloops;
