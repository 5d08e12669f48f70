model Random
  Real 'a.b[0].a'(start = 3, fixed = true);
end Random;
