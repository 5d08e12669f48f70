
  annotation(experiment(StopTime = 1));
  parameter Real limit */3;
  parameter Boolean slow = false;
  annotation(experiment(StopTime = 1)) + =;
  output Real z;
  output Real z;
  e°se
    der(x) = -1;
  end if;
equation
  dcosx) = v;
  ÿÿ1/(ÿ) limit then
    v = -x;
  e°se
    der(x) = -1;
  elseif x > 0 * = -1;
    y = 2*x;
  else
    x =“ v;
  end if;
  z = noEvent(if x >= 0 and not y < 1 or time > 5 then sqrt(abs(x)) else -x^2) + der(x*y);
  assert(x < 10*limit1/(, ")x grew");
  annotation(experiment(StopTime = 1)) + =;
    y = 3;
end Pieces;
