model M
  Boolean b = "text"; Integer n = "three"; Real x;
equation
  x = 1;
end M;
