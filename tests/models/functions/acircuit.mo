// expect: i.re=0.5; i.im=-0.5; p=0.5; s=1
operator record C
  Real re; Real im;
  encapsulated operator 'constructor'
    function fromReal
      import C;
      input Real re; input Real im=0; output C result(re=re, im=im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator '*'
    function mul import C; input C a; input C b; output C c;
    algorithm c := C(a.re*b.re-a.im*b.im, a.re*b.im+a.im*b.re); end mul;
  end '*';
  encapsulated operator function '/'
    import C; input C a; input C b; output C c;
  protected Real d;
  algorithm
    d := b.re^2+b.im^2;
    c := C((a.re*b.re+a.im*b.im)/d, (a.im*b.re-a.re*b.im)/d);
  end '/';
  encapsulated operator '-'
    function neg import C; input C a; output C c; algorithm c := C(-a.re,-a.im); end neg;
    function sub import C; input C a; input C b; output C c;
  algorithm c := C(a.re-b.re,a.im-b.im); end sub;
  end '-';
  encapsulated operator function '+'
    import C; input C a; input C b; output C c; algorithm c := C(a.re+b.re,a.im+b.im);
  end '+';
  encapsulated operator function '0'
    import C; output C c; algorithm c := C(0,0);
  end '0';
  encapsulated operator function '=='
    import C; input C a; input C b; output Boolean r; algorithm r := a.re==b.re and a.im==b.im;
  end '==';
end C;
model M
  C vi, v, i, z, sum1; Real p, s;
  C arr[2];
equation
  v = C(1);
  z = C(1) + C(0,1)*time;
  i = v/z;
  vi = v*C(i.re,-i.im);
 p=vi.re;
  arr = {C(1,2), -C(0,2)};
  sum1 = sum(arr);
  s = sum1.re+sum1.im;
end M;
