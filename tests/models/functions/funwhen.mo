// expect: y = -1; k = 2
function mix input Real a; input Real b; input Boolean c; output Real y; output Integer k;
algorithm if c then y := a; k := 1; else y := b; k := 2; end if; end mix;
model M
  Real x(start = 0, fixed = true); discrete Real y(start = 7, fixed = true); Integer k(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then (y, k) = mix(x, -1, pre(y) > 5);
  elsewhen x > 0.8 then (y, k) = mix(x, -1, pre(y) > 5); end when;
end M;
