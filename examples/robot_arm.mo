// Two-link flexible-joint robot arm on a prescribed path (Campbell, Griepentrog 1995). Unknown torques u1, u2.
// Only u1 - u2 and one other combination matter at first, so the Sigma-Jacobian is singular. Index 5.
model RobotArm
  Real x1;
  Real x2;
  Real x3;
  Real u1;
  Real u2;
equation
  der(der(x1)) = 2*sin(x3)/(2 - cos(x3)^2)*(der(x1) + der(x3))^2 + der(x1)^2*cos(x3)*sin(x3)/(2 - cos(x3)^2)
    + (2*x3 - x2)*(2/(2 - cos(x3)^2) + 2*cos(x3)/(2 - cos(x3)^2)) + 2/(2 - cos(x3)^2)*(u1 - u2);
  der(der(x2)) = -2*sin(x3)/(2 - cos(x3)^2)*(der(x1) + der(x3))^2 - der(x1)^2*cos(x3)*sin(x3)/(2 - cos(x3)^2)
    + (2*x3 - x2)*(1 - 6/(2 - cos(x3)^2) - 2*cos(x3)/(2 - cos(x3)^2)) - 2/(2 - cos(x3)^2)*u1
    + (2/(2 - cos(x3)^2) + 1)*u2;
  der(der(x3)) = -2*sin(x3)/(2 - cos(x3)^2)*(der(x1) + der(x3))^2 - der(x1)^2*cos(x3)*sin(x3)/(2 - cos(x3)^2)
    + (2*x3 - x2)*(2/(2 - cos(x3)^2) - 9*cos(x3)/(2 - cos(x3)^2)) - 2*der(x1)^2*sin(x3)/(2 - cos(x3)^2)
    - cos(x3)*sin(x3)/(2 - cos(x3)^2)*(der(x1) + der(x3))^2
    - (2/(2 - cos(x3)^2) + cos(x3)/(2 - cos(x3)^2))*(u1 - u2);
  cos(x1) + cos(x1 + x3) = cos(1 - exp(time)) + cos(1 - time);
  sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time);
  annotation(experiment(StartTime = 0, StopTime = 1, Tolerance = 1e-6));
end RobotArm;
