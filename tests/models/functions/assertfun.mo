// expect: y = 0.6931471805599453; z = 0
function safe input Real x; output Real y; algorithm assert(x > -1, "too small: " + String(x)); y := log(1 + x); end safe;
model M Real y = safe(time); Real z = if time > 2 then safe(-time) else 0; end M;
