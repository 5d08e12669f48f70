// expect: y = 3; z = 8
record A Real x; record Inner Real y; end Inner; Inner i; end A;
function f input A a; output A b; algorithm b.x := a.i.y; b.i.y := a.x; end f;
model nestedrecords A a = A(8*time, A.Inner(3)); A b = f(a); Real y = b.x, z = b.i.y; end nestedrecords;
