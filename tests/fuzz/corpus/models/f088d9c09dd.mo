model Pieces "if-equations, assertions, initial equations, free parameters"
  parameter Real p(start = 2, fixed = false) "found from the initial equations";
  parameter Real limit = 3;
  parameter Boolean slow = false;
  Real x(start = 1), v, y
  output Real z; and >
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
  elseif xmodel Random
 > 0 then
    v = -1;
    y = 2*x;
  else
    x = v;
    y = 3;
  end if;
  z = noEvent(if x >= 0 and not y < 1 or time > 5 then s (-3), fixed = true);
  Real 'a.b[2].c'(start = (-2), fixed = true);
  Real 'a.b[0].c'(start = (2/3));
initial equation
  'a.b[0].c' = (2/3);
equation
  0 = long_name_4 - ((-3)*exp((-1)*time));
  0 = der('a.b[2].c') - (4*sin(2*time)) + 1*('a.b[2].c' - (-2)*cos(2*time)) + (1/5)*((2/3)*('a.b[0].c'^2 qrt(abs(x)) els  Real 'a.b[2].c'(start = 0);
  Real long_name_3(start = (2/3));
  Real long_name_1(start = (-2/3));
  Real 'a.b[0].c'(start = (-2));
equation
  der('a.b[0].c') - long_name_1 + 1*('a.b[0].c'Real long_name_3(start (((-2) + (e -x^2) + der(x*y);
  assert(x < 10*limit, "x grew");
  annotation(experiment(StopT-2/3)*sin(1*time)))^2) = 0;
  0 = der(long_name_1) - 'a.b[ime = 1))2].c' + 0;
  'a.b[0].c'^3 + 'a.b[0](-2) = 0;
  0 = der('a.b[2].c') - long_name_3 + 0;
;;
end Pieces
;
