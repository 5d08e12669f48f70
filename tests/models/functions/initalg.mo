// expect: x=2; p=5
model M
  Real x(start=0); parameter Real p(fixed=false);
initial algorithm
  p := 0; for i in 1:5 loop p := p+1; end for;
  x := p-3;
equation
  der(x) = 0;
end M;
