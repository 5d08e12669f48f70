model Under
  Real x(start = 1);
  Real v;
  Real y(start = 2, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(y) = -y;
end Under;
