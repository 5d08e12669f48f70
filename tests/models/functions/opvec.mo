// expect: s.x=4; s.y=6; d=11; n.x=-1; e=1; k.x=3; q.x=6
operator record V
  Real x; Real y;
  encapsulated operator function '+' import V; input V a; input V b;
  output V c(x=a.x+b.x,y=a.y+b.y); algorithm end '+';
  encapsulated operator '*'
    function dot import V; input V a; input V b; output Real d; algorithm d := a.x*b.x+a.y*b.y;
  end dot;
    function scale import V; input Real k; input V b; output V c; algorithm c := V(k*b.x,k*b.y);
  end scale;
  end '*';
  encapsulated operator '-'
    function neg import V; input V a; output V c; algorithm c := V(-a.x,-a.y); end neg;
    function sub import V; input V a; input V b; output V c; algorithm c := V(a.x-b.x,a.y-b.y);
  end sub;
  end '-';
  encapsulated operator function '==' import V; input V a; input V b;
  output Boolean r = a.x==b.x and a.y==b.y; algorithm end '==';
  encapsulated operator function '0' import V; output V c; algorithm c := V(0,0); end '0';
  encapsulated operator function 'String' import V; input V a; output String s;
  algorithm s := "(" + String(a.x) + "," + String(a.y) + ")"; end 'String';
end V;
model M V a=V(1,2), b=V(3*time,4), s, n, k, q; Real d, e; parameter V p=V(1,2);
equation s = a+b; d = a*b; n = -a; k = 3*a;
  e = if String(p)=="(1,2)" and p==V(1,2) then 1 else 0; q = sum({a,a,V(4,0)}); end M;
