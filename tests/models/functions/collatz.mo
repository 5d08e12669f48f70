// expect: n=111
function collatz input Integer n; output Integer s=0; protected Integer k=n; algorithm
 while k<>1 loop if mod(k,2)==0 then k := div(k,2); else k := 3*k+1; end if; s := s+1; end while;
  end collatz;
model M Real n; equation n = collatz(27)*time; end M;
