// expect: f=720; e=0; o=1
function fact input Real n; output Real r; algorithm if n<=1 then r:=1; else r:=n*fact(n-1);
  end if; end fact;
function even input Real n; output Real b; algorithm if n<0.5 then b:=1; else b:=odd(n-1);
  end if; end even;
function odd input Real n; output Real b; algorithm if n<0.5 then b:=0; else b:=even(n-1);
  end if; end odd;
model M
  Real f,e,o;
equation
  f = fact(5+time*1.0);
  e = even(6+time);
  o = odd(6+time);
end M;
