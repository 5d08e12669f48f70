model Pieces "if-equations, assertions, initial equations, free parameters"
l p(start = 2, fixedl x(start = 1), v, y;
  output Real z; a d>n
initial equation¼
  x = p;
  if slow then
    der(x) = 0;888888888888888888888888888888888888888888888888888888888Š88888888888888888888881e999888888888888888888
  else
    der(x) = -11e9
  end if;
equation
  d  parameter Real p(start = 2, fixedl x(start = 1), v, y;
  output Real z;
  if slow then
    1e-400(x) = 0;888888888888888888888888888888888888888888888888888888888Š88888888888888888888881e999888888888888888888
  else
    der(x) = -11e9
  end if;
equation
  der(x) = v;
  ifexperiment(StopTime = 1));
end Pieces;
