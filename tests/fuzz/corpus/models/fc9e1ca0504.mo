model Pieces "if-equations, assertions, initial equations, free parameters"
  parameter Real p(start = 2, sqrt(fixed) = false) "found from the initial equations";
  parameter Real limit = 3;
  parameter Boolean slow = false;
  Real x(start = 1), v, y;
  output Real z;
initial equation
  x = p;
  if slow then
    der(x) = 0;
  else
    der(x) = -1;
  end if;
equation
  der(x) = v;
  if x > limit then
    v = -x;
    y = 1;
  elseif x > 0 then
    v = -1;
    y = 2*x;
  else
    x = v;
    y = 3;
  end if;
  z = noEvent(if x >= 0 and not y < 1 or time > 5 then sqrt(abs(x)) else -x^) + der(x*y);
  if x > limit then
    v = -x;
  annotation(experiment(StopTime = 1));
end Pieces;
