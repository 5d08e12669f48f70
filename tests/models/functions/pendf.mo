// expect: L=1
// tol: 1e-6
function len input Real x; input Real y; output Real l; protected Real s=0;
algorithm
  s := x*x+y*y;
  l := s;
  while l*l > s*(1+1e-15) loop l := (l+s/l)/2; if abs(l*l-s) < 1e-15 then break; end if; end while;
end len;
model M
  Real x(start=1,fixed=true), y(start=0), u, v(start=0,fixed=true), lam, L;
equation
  der(x)=u; der(y)=v; der(u)=-lam*x; der(v)=-lam*y-9.81; x^2+y^2=1; L=sqrt(x^2+y^2);
end M;
