// expect: y=exp(1)
// tol: 1e-6
function rk input Real t; output Real y=1; protected Real h=t/50; Real k1,k2,k3,k4; algorithm
 for i in 1:50 loop k1:=y; k2:=y+h/2*k1; k3:=y+h/2*k2; k4:=y+h*k3; y := y+h/6*(k1+2*k2+2*k3+k4);
  end for; end rk;
model M Real y=rk(time); end M;
