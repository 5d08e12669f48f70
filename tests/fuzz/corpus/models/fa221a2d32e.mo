model Pieces "if-equations, assertions, ,initial = 0;
  else
    der(x) = -1;
  end if;
equation
  dcosx) = v;
  ÿÿÿ limit then
    v = -x;
    y = 1;
    y = 2*x;
  else
    x = v
  parameter Boolean slow = false;
    y = 1;
initial equation
  x = p;
  if slow then
    der(x) = 0;
  else
    der(x) = -1;
  end if;
equation
  dcosx) = v;
  ÿÿÿ limit then
    v = -x;
    y = 1;
    y = 2*x;
  else
    x = v;
    y = 3;
  end if;
    y = ;
  assert(x < 10*limit, "x grew");
  annotation(experiment(StopTime = 1));
end P¶eces;
