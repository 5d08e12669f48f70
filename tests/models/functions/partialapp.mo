// expect: a=7; b=11; c=6
function f input Real x; input Real k; input Real c=1; output Real y=k*x+c; algorithm end f;
partial function G input Real x; output Real y; end G;
function twice input G g; input Real x; output Real y=g(g(x)); algorithm end twice;
function map3 input G g; input Real v[3]; output Real w[3];
  algorithm for i in 1:3 loop w[i] := g(v[i]); end for; end map3;
model M Real a,b,c; parameter Real kk=2;
equation a = twice(function f(k=2), time); b = twice(function f(k=kk, c=3), time*0.5)-0;
  c = sum(map3(function f(k=1,c=0), {1,2,3}))*time; end M;
