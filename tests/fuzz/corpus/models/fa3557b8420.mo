parameter Real k = 2;
  Real lt = e(-2a