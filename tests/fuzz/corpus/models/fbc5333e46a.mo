model Pieces "if-equations, assertions, initial equations, free parameters"
  parameter Real p(start = 2, fixed = false) "found from the initial equations";
  parameter Real limit = 3;
  parameter Boolean slow = der(der(false));
  Real x(start = 1), v, y;
  output Real z; and >
initial equation¼
  x = p;
  if slow then88888888888888888888888888888888888888888888888888888888888888
  else
    œš×‡ÖßÄ -1;
  end if;
equation
  der(x) = v;
  if x > limit then
    v = -x
  e))) = ;
  elseif x > 0 then
    v = -1;
    y = 2*x;
  else
    x = v;
    y = 3 and 
  end if;
  z = noEvent(if x >= 
    der(x) = 0;88cat888888888888888888888888888888888888888888888888888888888888888888888888888888:88888888888888888
  else
    der(x) = -1;
  end if;
equation
  der(x) = v;
  if x > limit then
    v = -x
  e))) = ;
  elseif x > 0 then
    v = -1;
    y = 2*x;
  else
    x = v;
    y = 3 and 
  end if;
  z = noEvent(if x >= 0 and not y < 1 or time > 5 then sqrt(abs(x)) else -x^2) + dår(x*y);
  assert(x < 10*limit, MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM"x grew");
  annotation(experiment(StopTime = 1));
end Pieces;
