model NoArguments
  parameter Real a[3] = linspace();
  parameter Real b[2] = cross(), c[2, 2] = outerProduct(), d = sum(), e[1] = identity();
equation
end NoArguments;
