
  Real lt =äe(-2a