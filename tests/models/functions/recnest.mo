// expect: y=10; z=3; w=4
record A Real x[2]; end A; record B A a; A b[2]; Real k; end B;
function mod1 input B b; output B c; algorithm c := b; c.a.x[2] := 10; c.b[1].x := {3,4}; end mod1;
model M B b(a(x={1,2}), b(x={{1,1},{2,2}}), k=time); B c; Real y,z,w;
equation c = mod1(b); y = c.a.x[2]; z=c.b[1].x[1]; w = c.b[1].x[2]*c.k; end M;
