model Mixed
  "as many initial equations as degrees of freedom, but one is redundant and one is missing"
  Real x;
  Real y;
initial equation
  x = 1;
  2*x = 2;
equation
  der(x) = -x;
  der(y) = -y;
end Mixed;
