// expect: s = 11; t = 10; u[5] = 1
package K
  constant Real table[3] = {f(i) for i in 1:3};
  constant Integer n = integer(table[2]);
  function f input Real x; output Real y; algorithm y := x^2 + 1; end f;
  record R parameter Integer m = 2; Real v[m]; end R;
  type Volt = Real(unit = "V", min = 0);
end K;
model M
  K.R r(m = 3, v = {1, 2, 3}*time); Real s = sum(r.v) + K.n; K.Volt u[K.n] = fill(time, K.n); Integer q = size(u, 1);
  Real t = K.table[3];
end M;
