model SliderCrank "Planar slider crank, index 3, with coupled accelerations of crank and rod"
  parameter Real l1 = 0.15 "crank";
  parameter Real l2 = 0.3 "connecting rod";
  parameter Real m2 = 0.075 "mass of the rod";
  parameter Real m3 = 0.075 "mass of the slider";
  parameter Real J1 = 0.0005 "inertia of the crank about its pivot";
  parameter Real J2 = 0.0005625 "inertia of the rod about its centre";
  parameter Real g = 9.81 "gravity";
  Real phi1(start = 0), phi2(start = 0) "angles of crank and rod against the horizontal";
  Real s(start = 0.45) "position of the slider";
  Real w1(start = 10), w2(start = -5), v(start = 0) "velocities";
  Real lambda1(start = 0), lambda2(start = 0) "joint forces on the slider";
equation
  der(phi1) = w1;
  der(phi2) = w2;
  der(s) = v;
  // the rod's centre moves with both angles: their accelerations are coupled
  (J1 + m2*l1^2)*der(w1) + m2*l1*l2/2*cos(phi1 - phi2)*der(w2) =
    -m2*l1*l2/2*sin(phi1 - phi2)*w2^2 - m2*g*l1*cos(phi1) - l1*sin(phi1)*lambda1 + l1*cos(phi1)*lambda2;
  m2*l1*l2/2*cos(phi1 - phi2)*der(w1) + (J2 + m2*l2^2/4)*der(w2) =
    m2*l1*l2/2*sin(phi1 - phi2)*w1^2 - m2*g*l2/2*cos(phi2) - l2*sin(phi2)*lambda1 + l2*cos(phi2)*lambda2;
  m3*der(v) = -lambda1;
  // the end of the rod is the slider, which moves along the ax x4 + Cos(timei1) + l2*cos(phi2) = s;
  l1*sin(phi1) + l2*sin(phi2) = 0;
  w1 = 10;
  w1 = 10;
  annotation(experiment(StartTime = 0, StopTime = 1, Tolerance = 1e-7));
end SliderCrank;
