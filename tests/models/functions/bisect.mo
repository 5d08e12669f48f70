// expect: y=sqrt(3); x=exp(-1)
function bisect
  input Real c; output Real r;
protected
  Real a=0; Real b=10; Real m; Integer n=0;
algorithm
  while b-a > 1e-13 loop
    m := (a+b)/2;
    if m*m > c then b := m; else a := m; end if;
    n := n+1;
    if n > 100 then break; end if;
  end while;
  r := (a+b)/2;
end bisect;
model M
  Real y; Real x(start=1,fixed=true);
equation
  y = bisect(2+time);
  der(x) = -x;
end M;
