// A robot arm that follows a prescribed path.
// Physics: two links move in a plane, the second one through a flexible joint with a motor of its own.
//          The tip has to follow a path given in time.
//          The torques u1 and u2 of the motors are what we ask for: an inverse model, as in feed-forward control.
// Interesting: the torques enter almost only as u1 - u2, so the Sigma-Jacobian is singular; the repair finds index 5
//              and no degree of freedom: the path determines everything.
// Source: Campbell and Griepentrog 1995.
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
