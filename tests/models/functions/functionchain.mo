// expect: y = 16; z = 10
partial function F input Real x; output Real y; end F;
function lin extends F; input Real k; algorithm y := k*x; end lin;
function twice input F f; input Real x; output Real y; algorithm y := f(f(x)); end twice;
function outer1 input F f; input Real x; output Real y; algorithm y := twice(f, x); end outer1;
function mk input Real k; input Real x; output Real y; algorithm y := outer1(function lin(k = k), x) + twice(function lin(k=k/4), x)*0; end mk;
model functionchain Real y = mk(4, time), z = outer1(function lin(k = time*sqrt(10)), 1); end functionchain;
