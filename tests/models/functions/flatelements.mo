// expect: x[1] = 1; x[2] = 3; x[3] = 3; n[1,1] = 2; n[1,2] = 3; d[1] = 6; d[2] = 12; y = 3; p[2] = 3
class C
  Real x[1];
  Real x[2];
  Real x[3];
  Integer n[1,1];
  Integer n[1,2];
  discrete Real d[1](start = 5.0, fixed = true);
  discrete Real d[2](fixed = true);
  Real y;
  Real p[1];
  Real p[2];
algorithm
  for i in 1:3 loop
    x[i] := i * time;
  end for;
  x[2] := x[2] + x[1];
  n[1,1] := integer(2 * time);
  n[1,2] := n[1,1] + 1;
algorithm
  when time > 0.5 then
    d[1] := pre(d[1]) + 1;
    d[2] := d[1] * 2;
  end when;
  p := {y, x[max(1, n[1,1])]};
equation
  y = x[n[1,2]];
end C;
