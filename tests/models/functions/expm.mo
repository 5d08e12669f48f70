// expect: E[1,1]=cos(1); E[1,2]=-sin(1); E[2,1]=sin(1); E[2,2]=cos(1)
// tol: 1e-9
function expm
  input Real A[:,size(A,1)]; output Real E[size(A,1),size(A,2)];
protected Real T[size(A,1),size(A,1)];
algorithm
  E := identity(size(A,1)); T := E;
  for k in 1:20 loop T := T*A/k; E := E+T; end for;
end expm;
model M
  Real E[2,2];
equation
  E = expm({{0,-time},{time,0}});
end M;
