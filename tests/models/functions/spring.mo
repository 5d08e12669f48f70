// expect: x=cos(2)
// tol: 1e-6
record State Real x; Real v; end State;
function rhs input State s; input Real w; output State d; algorithm d := State(s.v, -w^2*s.x);
  end rhs;
model M State s(x(start=1,fixed=true), v(start=0,fixed=true)); State d; Real x=s.x;
  parameter Real w=2;
equation d = rhs(s,w); der(s.x)=d.x; der(s.v)=d.v; end M;
