// expect: c[1].re = 3; c[2].im = 6; y = 6
operator record Cx Real re; Real im;
  encapsulated operator 'constructor' function fr import Cx; input Real re; input Real im = 0; output Cx c; algorithm c.re := re; c.im := im; end fr; end 'constructor';
  encapsulated operator '+' function add import Cx; input Cx a; input Cx b; output Cx c; algorithm c := Cx(a.re+b.re, a.im+b.im); end add; end '+';
  encapsulated operator function '0' import Cx; output Cx c; algorithm c := Cx(0,0); end '0';
end Cx;
model arraysumrecords Cx c[2] = sum({Cx(k, time), Cx(0, 2*k)} for k in 1:2); Cx e = sum(Cx(k, k*time) for k in 1:3); Real y = e.im; end arraysumrecords;
