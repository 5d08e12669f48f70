// expect: q.re = -2.9153846153846152; q.im = 1.976923076923077; s.re = 9.0; s.im = 6.0; v[2].re = 6; v[1].im = 4; d.re = 20.0; d.im = -8.0
operator record C
  Real re; Real im;
  encapsulated operator 'constructor'
    function fromReal import C; input Real re; input Real im = 0; output C r(re=re, im=im); algorithm end fromReal;
  end 'constructor';
  encapsulated operator '+'
    function add import C; input C a; input C b; output C r; algorithm r := C(a.re+b.re, a.im+b.im); end add;
  end '+';
  encapsulated operator '-'
    function neg import C; input C a; output C r; algorithm r := C(-a.re, -a.im); end neg;
    function sub import C; input C a; input C b; output C r; algorithm r := C(a.re-b.re, a.im-b.im); end sub;
  end '-';
  encapsulated operator '*'
    function mul import C; input C a; input C b; output C r;
    algorithm r := C(a.re*b.re-a.im*b.im, a.re*b.im+a.im*b.re); end mul;
    function scalarProduct import C; input C a[:]; input C b[size(a,1)]; output C r;
    algorithm r := C(0); for i in 1:size(a,1) loop r := r + a[i]*b[i]; end for; end scalarProduct;
  end '*';
  encapsulated operator function '/' import C; input C a; input C b; output C r; protected Real d = b.re^2+b.im^2;
    algorithm r := C((a.re*b.re+a.im*b.im)/d, (a.im*b.re-a.re*b.im)/d); end '/';
  encapsulated operator function '^' import C; input C a; input Integer n; output C r;
    algorithm r := C(1); for i in 1:n loop r := r*a; end for; end '^';
  encapsulated operator function '==' import C; input C a; input C b; output Boolean r;
    algorithm r := a.re == b.re and a.im == b.im; end '==';
  encapsulated operator function '0' import C; output C r; algorithm r := C(0); end '0';
  encapsulated operator function 'String' import C; input C a; output String s;
    algorithm s := String(a.re)+"+"+String(a.im)+"j"; end 'String';
end C;
model M
  C z = C(time, 2); C w = C(3, -1); C q; C s; C v[2]; C d;
equation
  q = z*w/(z-w) + z^2 - 1/w;
  s = sum({z, w, z*w});
  v = 2*{z, w};
  d = v*v;
  assert(not (z == w), "equal " + String(z));
end M;
