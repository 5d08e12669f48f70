// 001, Example 2.2, with given functions b1 ... b4.
model Example22
  Real x1;
  Real x2;
  Real x3;
  Real x4;
equation
  der(x1) = x3 + sin(time);
  der(x2) = x4 + cos(time);
  0 = x2 + x3 + x4 + exp(time);
  0 = -x1 + x3 + x4 + time^2;
end Example22;
