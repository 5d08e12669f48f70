// expect: z[1]=1; z[2]=-2; z[3]=3; d=27
function gauss
  input Real A[:,size(A,1)]; input Real b[size(A,1)]; output Real x[size(b,1)]; output Real det;
protected
  Real M[size(A,1),size(A,1)+1]; Integer n=size(A,1); Integer p; Real f; Real t;
algorithm
  M := [A, b];
  det := 1;
  for k in 1:n loop
    p := k;
    for i in k+1:n loop
      if abs(M[i,k]) > abs(M[p,k]) then p := i; end if;
    end for;
    if p <> k then
      for j in 1:n+1 loop t := M[k,j]; M[k,j] := M[p,j]; M[p,j] := t; end for;
      det := -det;
    end if;
    det := det*M[k,k];
    for i in k+1:n loop
      f := M[i,k]/M[k,k];
      for j in k:n+1 loop M[i,j] := M[i,j]-f*M[k,j]; end for;
    end for;
  end for;
  for i in n:-1:1 loop
    x[i] := (M[i,n+1] - M[i,i+1:n]*x[i+1:n])/M[i,i];
  end for;
end gauss;
model M
  Real z[3]; Real d; Real s;
equation
  s = time;
  (z,d) = gauss({{s,2,1},{2,s-1,1},{1,1,-3-s*3}}+zeros(3,3), {s*1-4+3, 5, 1-2-18});
end M;
