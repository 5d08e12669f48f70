// expect: y[3] = 9; z[2,1] = 9; v[2] = 22; w[3] = 91; m = 66
function sq input Real x; output Real y; algorithm y := x^2; end sq;
function h input Real a; input Real b; output Real c; algorithm c := a + 10*b; end h;
model M
  Real x[3] = {1, 2, 3}*time; Real y[3] = sq(x); Real z[2,2] = sq([1, 2; 3, 4]); Real v[3] = h(x, 2); Real w[3] = h({1, 1, 1}, y);
  Real m = max(y) + min(v) + product(x) + sum(z);
end M;
