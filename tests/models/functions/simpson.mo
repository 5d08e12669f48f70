// expect: a = 0.9598506440859713; b = 1.9635959786274768; c = 0.9931202853886525
partial function F input Real x; output Real y; end F;
function simpson input F f; input Real a; input Real b; input Integer n = 8; output Real s; protected Real h = (b-a)/n;
algorithm
  s := f(a) + f(b);
  for i in 1:n-1 loop s := s + (if mod(i, 2) == 1 then 4 else 2)*f(a + i*h); end for;
  s := s*h/3;
end simpson;
function gauss input Real x; input Real mu = 0; input Real sigma = 1; output Real y;
algorithm y := exp(-(x-mu)^2/(2*sigma^2)); end gauss;
function twice input F f; input Real x; output Real y; algorithm y := f(f(x)); end twice;
model M
  Real a = simpson(function gauss(mu = time, sigma = 2), 0, 1);
  Real b = simpson(function gauss(sigma = 3), -1, time, n = 4);
  Real c = twice(function gauss(mu = 1), 0.5);
end M;
