// expect: y = 32.0; q[1] = 2; q[2] = 3; x = 1.0000000000755027
model M
  parameter Real p(fixed = false); parameter Real q[3](each fixed = false); Real x(start = 0); Real y;
initial algorithm
  p := 1;
  for i in 1:3 loop p := p*(i + 1); q[i] := p/i; end for;
initial equation
  x = q[2];
equation
  der(x) = -p*(x - 1); y = q[3] + p;
end M;
