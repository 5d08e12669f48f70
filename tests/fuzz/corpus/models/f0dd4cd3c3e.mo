model CarAxisOverdetermined "Car axis with its hidden constraints written down: 26 equations, 22 unknowns"
  // The system of Altmeyer and Steinbrecher (Preprint 2013/29), figure 1: the constraints of velocity and acceleration
  // level stand in the model by hand. daetool must accept them as consequences of the position constraints.
  parameter Real eps = 0.01 "mass scaling";
  parameter Real M = 10 "mass of the chassis";
  parameter Real L = 1 "length of the axis";
  parameter Real L0 = 0.5 "length of the springs at rest";
  parameter Real r = 0.1 "height of the bumps";
  parameter Real w = 10 "frequency of the bumps";
  Real xl(start = 0), yl(start = 0.5) "left end of the chassis";
  Real xr(start = 1), yr(start = 0.5) "right end of the chassis";
  Real V1(start = -0.5), V2(start = 0), V3(start = -0.5), V4(start = 0) "velocities";
  Real lam1(start = 0), lam2(start = 0) "Lagrange multipliers";
  Real V1P(start = 0), V2P(start = 0), V3P(start = 0), V4P(start = 0) "forces";
  Real yb(start = 0), ybP(start = 1), ybPP(start = 0) "right wheel, height and its derivatives";
  Real xb(start = 1), xbP(start = 0), xbPP(start = -1) "right wheel, distance and its derivatives";
  Real Ll(start = 0.5), Lr(start = 0.5) "lengths of the springs";
equation
  // abbreviations
  yb = r*sin(w*time);
  ybP = r*w*cos(w*time);
  ybPP = -r*w^2*sin(w*time);
  xb = sqrt(L^2 - yb^2);
  xbP = -yb*ybP/sqrt(L^2 - yb^2);
  xbPP = -yb^2*ybP^2/(L^2 - yb^2)^1.5 - (ybP^2 + yb*ybPP)/sqrt(L^2 - yb^2);
  Ll = sqrt(xl^2 + yl^2);
  Lr = sqrt((xr - xb)^2 + (yr - yb)^2);
  V1P = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr);
  V2P = (L0 - Ll)*yl/Ll + lam1*yb + 2*(yl - yr) - M*eps^2/2;
  V3P = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr);
  V4P = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - M*eps^2/2;
  // motion
  der(xl) = V1;
  der(yl) = V2;
  der(xr) = V3;
  der(yr) = V4;
  eps^2*M/2*der(V1) = V1P;
  eps^2*M/2*der(V2) = V2P;
  eps^2*M/2*der(V3) = V3P;
  eps^2*M/2*der(V4) = V4P;
  // position level
  0 = xb*xl + yb*yl;
  0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
  // velocity level
  0 = xbP*xl + xb*V1 + ybP*yl + yb*V2;
  0 = 2*(xl - xr)*(V1 - V3) + 2*(yl - yr)*(V2 - V4);
  // acceleration level
  0 = xbPP*xl + 2*xbP*V1 + xb*V1P/(eps^2*M/2) + ybPP*yl + 2*ybP*V2 + yb*V2P/(eps^2*M/2);
  0 = 2*(V1 - V3)^2 + 2*(xl - xr)*(V1P - V3P)/(eps^2*M/2) + 2*(V2 - V4)^2 +
    2*(yl - yr)*(V2P - V4P)/(eps^2*M/2);
  annotation(experiment(StartTime = 0, StopTime = 3, Tolerance = 1e-7, Interval = 0.003));
end CarAxisOverdetermined;
