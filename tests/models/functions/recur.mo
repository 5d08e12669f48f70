// expect: f=120; g=8; a=1; b=0
function fact input Integer n; output Integer r; algorithm r := if n<=1 then 1 else n*fact(n-1);
  end fact;
function fib input Integer n; output Integer r; algorithm if n<2 then r:=n; return; end if;
  r := fib(n-1)+fib(n-2); end fib;
function even input Integer n; output Boolean b; algorithm if n==0 then b:=true;
  else b:=odd(n-1); end if; end even;
function odd input Integer n; output Boolean b; algorithm if n==0 then b:=false;
  else b:=even(n-1); end if; end odd;
model M
  Real f,g,a,b;
equation
  f = fact(5); g = fib(6);
  a = if even(10) then 1 else 0;
  b = if odd(10) then 1 else 0;
end M;
