// expect: g=6; l=36
function gcd input Integer a; input Integer b; output Integer g; protected Integer x=a;
  Integer y=b; Integer t;
algorithm while y<>0 loop t := mod(x,y); x := y; y := t; end while; g := x; end gcd;
model M Real g, l; equation g = gcd(18,12); l = 18*12/gcd(18,12); end M;
