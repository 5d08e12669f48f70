// expect: a=9
function ack input Integer m; input Integer n; output Integer r; algorithm
 if m==0 then r := n+1; elseif n==0 then r := ack(m-1,1); else r := ack(m-1,ack(m,n-1)); end if;
  end ack;
model M Real a; equation a = ack(2,3)*time; end M;
