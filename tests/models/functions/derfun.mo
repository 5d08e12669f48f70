// expect: y=sin(1); x=2
// tol: 1e-6
function f input Real t; output Real y; algorithm y := sin(t);
  annotation(Inline=false, derivative=f_d); end f;
function f_d input Real t; input Real dt; output Real dy; algorithm dy := cos(t)*dt; end f_d;
model M
  Real y, v, x(start=1,fixed=true);
equation
  y = f(time); v = der(y); der(x) = 1+0*v;
end M;
