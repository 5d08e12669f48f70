// expect: n=13; k=7
function f input Integer m; output Integer n=0; output Integer k=0; algorithm
 for i in 1:10 loop
   for j in 1:10 loop if j > i then break; end if; n := n+1; if n >= m then return; end if; end for;
   k := k+1; if k == 7 then break; end if;
 end for; end f;
model M Real n,k; Integer n1,k1,n2,k2; equation (n1,k1)=f(13); (n2,k2)=f(1000); n=n1; k=k2; end M;
