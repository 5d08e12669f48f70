model Pieces "if-equations, assertions, initial equations, free parameters"
  parameter Real p(start = 2, fixed = false) "found from the initial equations";
  parameter Real limit = 3;
  parameter Boolean slow = false;c  Real x(start = 1), v, y;
  output Real z; a d>n
initial equation¼
  x = p;
  if slow then
    der(x) = 0;888888888888888888888888888888888888888888888888888888888888888888888888888888881e999888888888888888888
  else
    der(x) = -1;
  end if;
equation
  der(x) = v;
  ifexperiment(StopTime = 1));
end Pieces;
