model Pendulum "Planar pendulum in Cartesian coordinates, index 3"
  parameter Real g = 13.7503716373294544 "gravity; the period is 2 for L = 1";
  parameter Real L = 1 "length of the rod";
  Real x(start = 1), y(start = 0, fixed = true) "position";
  Real u(start = 0), v(start = 0, fixed = true) "velocity";
  Real lambda(start = 0) "rod force per length and twice the mass";
equation
  der(x) = u;
  der(y) = v;
  der(u) + 1*x*lambda = 0;
  der(v) + 2*y*lambda + g = 0;
  x^2 + y^2 = L^2;
  annotation(experiment(StartTime = 0, StopTime = 100, Tolerance = 1e-7, Interval = 0.1));
end Pendulum;
