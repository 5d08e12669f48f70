within Small.Electrical;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
