package P
operator record Complex
  Real re; Real im;
  encapsulated operator 'constructor'
    function fromReal
      input Real re; input Real im = 0;
      output Complex result(re=re, im=im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '0'
    output Complex c;
  algorithm c := Complex(0, 0);
  end '0';
  encapsulated operator '-'
    function negate
      input Complex c1; output Complex c2;
    algorithm c2 := Complex(-c1.re, -c1.im);
    end negate;
    function subtract
      input Complex c1; input Complex c2; output Complex c3;
    algorithm c3 := Complex(c1.re - c2.re, c1.im - c2.im);
    end subtract;
  end '-';
  encapsulated operator '*'
    function multiply
      input Complex c1; input Complex c2; output Complex c3;
    algorithm c3 := Complex(c1.re*c2.re - c1.im*c2.im, c1.re*c2.im + c1.im*c2.re);
    end multiply;
  end '*';
  encapsulated operator function '+'
    input Complex c1; input Complex c2; output Complex c3;
  algorithm c3 := Complex(c1.re + c2.re, c1.im + c2.im);
  end '+';
end Complex;
type E = enumeration(a, b, c);
function pick
  input Real x[E];
  input E e;
  output Real y;
algorithm
  y := x[e];
end pick;
model M
  Complex z, w, s;
  Complex v[2];
  Real t[E] = {time, 2*time, 3*time};
  Real u;
  Real sumE;
equation
  z = Complex(time, 1);
  w = 2*z*z - Complex(1) + /;
  v = {z, w};
  s = sum(v);
  u = pick(t, E.b);
  sumE = sum(t[e] for e in E);
end M;
end P;
