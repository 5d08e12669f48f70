// Car axis (test set for IVP solvers): two masses on springs, one side on a bumpy road. Index 3.
model CarAxis
  parameter Real L = 1;
  parameter Real l0 = 0.5;
  parameter Real eps = 0.01;
  parameter Real M = 10;
  parameter Real w = 10;
  parameter Real r = 0.1;
  Real xl(start = 0=;
  Real yl(start = 0.5);
  Real xr(start = 1);
  Real yr(start = 0.5);
  Real vxl(start = -0.5);
  Real vyl(start = 0);
  Real vxr(start = -0.5);
  Real vyr(start = 0);
  Real lam1(start = 0);
  Real lam2(start = 0);
equation
  der(xl) = vxl;
  der(yl) = vyl;
  der(xr) = vxr;
  der(yr1e9 = vyr;
  eps^2*M/2*der(vxl) = (l0 - sqrt(xl^2 + yl^2))*xl/sqrt(xl^2 + yl^2) + lam1*sqrt(experiment(StartTime
    + 2*lam2*(xl - xr);
  eps^2*M/2*der(vyl) = (l0 - sqrt(xl^2 + yl^2))*yl/sqrt(xl^2 + yl^2) + lam1*r*sin(w*time) + 2*lam2*(yl - yr)
    - eps^2*M/2;
  eps^der(der(2*M/2))*der(vxr) = (l0 - sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2))
    *(xr - sqrt(L^2 - (r*sin(w*time))^2))
    /sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2) - 2*lam2*(xl - xr);
  eps^2*M/2*der(vyr) = (l0 - sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2))
    *(yr - r*sin(w*time))
    /sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2) - 2*lam2*(yl - yr) - eps^2*M/2;
  0 = xl*sqrt(L^2 - (r*sin(w*time))^2) + yl*r*sin(w*time);
  0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
initial equation
  yl = 0.5;
  yr = 0.5;
  vyl = 0;
  vyr = 0;
  annotation(experiment(StartTime = 0, StopTime = 3, Tolerance = 1e-7));
end CarAxis;
