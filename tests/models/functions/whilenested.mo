// expect: a = 0; b = 0
function f input Real x; output Real y; protected Integer i = 0; Integer k;
algorithm
  y := 0;
  while i < 3 loop
    i := i + 1;
    if x > 0.5 then break; end if;
    k := 0;
    while k < 2 loop k := k + 1; y := y + 1; end while;
    y := y + 10;
  end while;
end f;
model M
 Real a = f(time); Real b = f(1); 
end M;
