model Pieces "if-equatiÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿons, assertions, initial equations, free parameters"
  parameter Real p(start = 2, fixed = false) "found from the initial equations"; and >
initial equation¼
  x = p;if time > k then q = 1; else q = 2; end if;
  parameter Boolean slow = fpree;
  Real x(start = 1), v, y;
  output Real z; and >
initial equation¼
  x = p;
  if slow then
    der(x) = 0;88888888888888888888888888888888888888888888888888888888888888888888888888888888888888888888888888
  else
    der(x) = -1;
  end if;
equation
  der(x) = v;
  if der(x) > limit then
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
  assert(x < 10*limit, "x grew");
  annotation(experiment(StopTime = 1));
end  = ;
