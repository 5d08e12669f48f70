// expect: a=1; b=0; c=1
function between input Real x; input Real lo; input Real hi; output Boolean b;
  algorithm b := x>=lo and x<=hi; end between;
function all1 input Boolean b[:]; output Boolean r=true;
  algorithm for i in 1:size(b,1) loop r := r and b[i]; end for; end all1;
model M Real a,b,c; equation a = if between(time,0.5,1.5) then 1 else 0;
  b = if all1({true,time>5}) then 1 else 0; c = if not all1({true,false}) then 1 else 0; end M;
