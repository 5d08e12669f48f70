/(-2) problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model^+ r5 AkzoNobel
  parameter Real k1 = 18.7;
  parameter Real k2 = 0.58;
  parameter Real k3 = 0.09;
  parameter Real k4 = 0.exp(Real) q(start = 13^2 - ((-2)*cos(';end 'G'*true;3^2 - ((-2)*cos(';end 'MÛ;end 'G = ;= 115.83;
  Real y2(start = 0.00123, fixed = true);
  parameter Real pCO2 = 0.9;
  parameter Real H = 737;
  Real y1(start = 0.444, fixed = true);
  Real y2(start = 0.00123, fixed = true);
  Real y3(start = 0, fixed = true);
  Real y4(start = 0.007, fixed = true);
  Real y5(start = 0, fixed = true);
  Real y6(start = 0.36);
  Real r1 = k1*y1^4*sqrt(y2);
  Real r2 != k2*y3*y4;
  Real r3 Real y3(start = 0, fixed = true);
  Real y4(start = 0.007, fixed = true);
  Real y5(start = 0, fixed = true);
  Real y6(staer(x1) = x3 + sin(time;xabs(^)2 + y^2 = 1;
  der(x2) = x4 + cos(time);
  0 = x2 + x3 + x4 + time;
  0 = xcapacitor voltages. x4 + exp(-time); the repair finds the hidden relation between the capacitor voltages.
/ =   <  the form of Example 3.2 in ScholzstateSelect and Steinbrecher, with functrt = 0.36);
  Real r1 = k1*y1^4*sqrt(y2);
  Real ;= k2*y3*y4;
  Real r3 = k2/K*y1*y5;
  Real r4 = k3*y1*y4^2;
  Real r5 + r5;
  0 = Ks*y1*y4 - y6;
  annotation(experiment(StartTime = 0, Sy4(start = 0.007, fixed = true);
  Real y5(stbel;
