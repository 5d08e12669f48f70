// Double pendulum in Cartesian coordinates.
// Physics: two equal masses on two rods, released at rest from the horizontal.
// Interesting: two position constraints and no angle; index 3, every coordinate is constrained somewhere on the way.
// Source: a classic; reference values from an independent run in quadruple precision (bench/references).
model DoublePendulum "Two masses on two rods, index 3"
  parameter Real m = 1 "mass of each";
  parameter Real L = 1 "length of each rod";
  parameter Real g = 9.81 "gravity";
  Real x1(start = L), y1(start = 0, fixed = true) "position of the upper mass";
  Real x2(start = 2*L), y2(start = 0, fixed = true) "position of the lower mass";
  Real u1(start = 0), v1(start = 0, fixed = true) "velocities";
  Real u2(start = 0), v2(start = 0, fixed = true);
  Real lambda1(start = 0), lambda2(start = 0) "rod forces per length";
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  m*der(u1) = -x1*lambda1 + (x2 - x1)*lambda2;
  m*der(v1) = -y1*lambda1 + (y2 - y1)*lambda2 - m*g;
  m*der(u2) = -(x2 - x1)*lambda2;
  m*der(v2) = -(y2 - y1)*lambda2 - m*g;
  x1^2 + y1^2 = L^2;
  (x2 - x1)^2 + (y2 - y1)^2 = L^2;
  annotation(experiment(StartTime = 0, StopTime = 3, Tolerance = 1e-7, Interval = 0.01));
end DoublePendulum;
