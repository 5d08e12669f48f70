// expect: a=3; b=2; c=1; d=0.5
function divmod input Integer n; input Integer d; output Integer q; output Integer r; output Real f;
algorithm q := div(n,d); r := mod(n,d); f := n/d-q; end divmod;
model M Real a,b,c,d; Integer q1,r1; Real f1; equation
  (q1,r1,f1) = divmod(11,3); a=q1; b=r1; (,c,) = divmod(10,3); (,,d)=divmod(5,2);
end M;
