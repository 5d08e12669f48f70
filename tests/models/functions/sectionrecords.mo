// expect: a[2].z[1] = 11; a[3].z[2] = 8; q[2].r[2].x = 23; q[1].r[2].z[2] = 27; q[2].r[1].z[2] = 7; s.x = 2; s.z[1] = 11; s.z[2] = -1; a[2].z[2] = 3
record R Real x; Real z[2]; end R;
record Q R r[2]; Real w; end Q;
function mk input Real a; output R r; algorithm r.x := a; r.z := {a^2, a^3}; end mk;
model M
  R a[3]; Q q[2]; R s;
algorithm
  for i in 1:3 loop a[i].x := i*time; a[i].z := {i, i+1}; end for;
  a[2].z[1] := a[1].x + 10;
  a[3] := mk(2.0);
algorithm
  for i in 1:2 loop
    q[i].w := i;
    for j in 1:2 loop q[i].r[j].x := 10*i + j + time; q[i].r[j].z := {time, j}; end for;
  end for;
  q[1].r[2] := mk(3.0);
  q[2].r[1].z[2] := 7;
algorithm
  s := a[2];
  s.z[2] := -1;
end M;
