// expect: x = 2
model eachofscalar
  model C parameter Real p = 1; Real y = p*time; end C;
  C c(each p = 2); Real x = c.y; end eachofscalar;
