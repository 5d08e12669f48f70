// expect: a=1; b=3; c=2; d=4; n=5
model M
  Real a,b,c,d; discrete Integer n(start=0,fixed=true); Real x(start=0,fixed=true);
algorithm
  a := time;
  b := a;
  for i in 1:2 loop b := b + i*a - 0.5*i*a + 0.5*a - 0.25*a; end for;
algorithm
  c := 2*x; d := c + 2*x;
algorithm
  when sample(0.1,0.2) then n := pre(n)+1; end when;
equation
  der(x) = 1;
end M;
