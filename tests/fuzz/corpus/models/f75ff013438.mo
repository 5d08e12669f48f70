der(q) = -q;, Random
  '< [0 Real lt der(der(=)) e(-2a