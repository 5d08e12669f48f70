// Two semi-explicit parts of index 1 each; coupled, the algebraic equations are dependent (001, Remark 3.1).
model CoupledParts
  Real x1;
  Real y1;
  Real u1;
  Real x2;
  Real y2;
  Real u2;
equation
  der(x1) = -x1 + y1;
  0 = y1 - u1 + x1;
  der(x2) = -x2 + y2 + sin(time);
  0 = y2 - u2 + x2;
  u1 = y2;
  u2 = y1;
end CoupledParts;
