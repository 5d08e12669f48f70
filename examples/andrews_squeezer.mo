// Andrews' squeezing mechanism.
// Physics: seven rigid bodies turn in a plane about three fixed points; a motor drives the first,
//          a spring holds the third. Joints close three loops.
//          Seven angles, six of them bound: two multipliers for each loop.
// Interesting: index 3 with a full mass matrix and 20 unknowns that move in milliseconds;
//              the classic test of index-3 codes.
// Source: Schiehlen 1990; Hairer and Wanner II; test set for IVP solvers.
model AndrewsSqueezer
  parameter Real m1 = 0.04325;
  parameter Real m2 = 0.00365;
  parameter Real m3 = 0.02373;
  parameter Real m4 = 0.00706;
  parameter Real m5 = 0.07050;
  parameter Real m6 = 0.00706;
  parameter Real m7 = 0.05498;
  parameter Real I1 = 2.194e-6;
  parameter Real I2 = 4.410e-7;
  parameter Real I3 = 5.255e-6;
  parameter Real I4 = 5.667e-7;
  parameter Real I5 = 1.169e-5;
  parameter Real I6 = 5.667e-7;
  parameter Real I7 = 1.912e-5;
  parameter Real xa = -0.06934;
  parameter Real ya = -0.00227;
  parameter Real xb = -0.03635;
  parameter Real yb = 0.03273;
  parameter Real xc = 0.014;
  parameter Real yc = 0.072;
  parameter Real c0 = 4530;
  parameter Real d = 0.028;
  parameter Real da = 0.0115;
  parameter Real e = 0.02;
  parameter Real ea = 0.01421;
  parameter Real zf = 0.02;
  parameter Real fa = 0.01421;
  parameter Real l0 = 0.07785;
  parameter Real ra = 0.00092;
  parameter Real rr = 0.007;
  parameter Real ss = 0.035;
  parameter Real sa = 0.01874;
  parameter Real sb = 0.01043;
  parameter Real sc = 0.018;
  parameter Real sd = 0.02;
  parameter Real ta = 0.02308;
  parameter Real tb = 0.00916;
  parameter Real u = 0.04;
  parameter Real ua = 0.01228;
  parameter Real ub = 0.00449;
  parameter Real zt = 0.04;
  parameter Real mom = 0.033;
  Real beta(start = -0.0617138900142764496358948458001);
  Real theta(start = 0);
  Real gamma(start = 0.455279819163070380255912382449);
  Real phi(start = 0.222668390165885884674473185609);
  Real delta(start = 0.487364979543842550225598953530);
  Real omega(start = -0.222668390165885884674473185609);
  Real epsilon(start = 1.23054744454982119249735015568);
  Real vbeta(start = 0);
  Real vtheta(start = 0);
  Real vgamma(start = 0);
  Real vphi(start = 0);
  Real vdelta(start = 0);
  Real vomega(start = 0);
  Real vepsilon(start = 0);
  Real lam1(start = 98.5668703962410896057654982170);
  Real lam2(start = -6.12268834425566265503114393122);
  Real lam3(start = 0);
  Real lam4(start = 0);
  Real lam5(start = 0);
  Real lam6(start = 0);
  Real xd = sd*cos(gamma) + sc*sin(gamma) + xb;
  Real yd = sd*sin(gamma) - sc*cos(gamma) + yb;
  Real force = -c0*(sqrt((xd - xc)^2 + (yd - yc)^2) - l0)/sqrt((xd - xc)^2 + (yd - yc)^2);
equation
  der(beta) = vbeta;
  der(theta) = vtheta;
  der(gamma) = vgamma;
  der(phi) = vphi;
  der(delta) = vdelta;
  der(omega) = vomega;
  der(epsilon) = vepsilon;
  (m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(theta) + da^2) + I1 + I2)*der(vbeta)
    + (m2*(da^2 - da*rr*cos(theta)) + I2)*der(vtheta)
    = mom - m2*da*rr*vtheta*(vtheta + 2*vbeta)*sin(theta)
    - (-rr*sin(beta) + d*sin(beta + theta))*(lam1 + lam3 + lam5)
    - (rr*cos(beta) - d*cos(beta + theta))*(lam2 + lam4 + lam6);
  (m2*(da^2 - da*rr*cos(theta)) + I2)*der(vbeta) + (m2*da^2 + I2)*der(vtheta)
    = m2*da*rr*vbeta^2*sin(theta)
    - d*sin(beta + theta)*(lam1 + lam3 + lam5) + d*cos(beta + theta)*(lam2 + lam4 + lam6);
  (m3*(sa^2 + sb^2) + I3)*der(vgamma)
    = force*(xd - xc)*(sc*cos(gamma) - sd*sin(gamma)) + force*(yd - yc)*(sd*cos(gamma) + sc*sin(gamma))
    + ss*cos(gamma)*lam1 + ss*sin(gamma)*lam2;
  (m4*(e - ea)^2 + I4)*der(vphi) + (m4*((e - ea)^2 + zt*(e - ea)*sin(phi)) + I4)*der(vdelta)
    = m4*zt*(e - ea)*vdelta^2*cos(phi)
    + e*cos(phi + delta)*lam3 + e*sin(phi + delta)*lam4;
  (m4*((e - ea)^2 + zt*(e - ea)*sin(phi)) + I4)*der(vphi)
    + (m4*(zt^2 + 2*zt*(e - ea)*sin(phi) + (e - ea)^2) + m5*(ta^2 + tb^2) + I4 + I5)*der(vdelta)
    = -m4*zt*(e - ea)*vphi*(vphi + 2*vdelta)*cos(phi)
    - (-e*cos(phi + delta) + zt*sin(delta))*lam3 - (-e*sin(phi + delta) - zt*cos(delta))*lam4;
  (m6*(zf - fa)^2 + I6)*der(vomega) + (m6*((zf - fa)^2 - u*(zf - fa)*sin(omega)) + I6)*der(vepsilon)
    = -m6*u*(zf - fa)*vepsilon^2*cos(omega)
    - zf*sin(omega + epsilon)*lam5 + zf*cos(omega + epsilon)*lam6;
  (m6*((zf - fa)^2 - u*(zf - fa)*sin(omega)) + I6)*der(vomega)
    + (m6*((zf - fa)^2 - 2*u*(zf - fa)*sin(omega) + u^2) + m7*(ua^2 + ub^2) + I6 + I7)*der(vepsilon)
    = m6*u*(zf - fa)*vomega*(vomega + 2*vepsilon)*cos(omega)
    - (zf*sin(omega + epsilon) - u*cos(epsilon))*lam5 - (-zf*cos(omega + epsilon) - u*sin(epsilon))*lam6;
  0 = rr*cos(beta) - d*cos(beta + theta) - ss*sin(gamma) - xb;
  0 = rr*sin(beta) - d*sin(beta + theta) + ss*cos(gamma) - yb;
  0 = rr*cos(beta) - d*cos(beta + theta) - e*sin(phi + delta) - zt*cos(delta) - xa;
  0 = rr*sin(beta) - d*sin(beta + theta) + e*cos(phi + delta) - zt*sin(delta) - ya;
  0 = rr*cos(beta) - d*cos(beta + theta) - zf*cos(omega + epsilon) - u*sin(epsilon) - xa;
  0 = rr*sin(beta) - d*sin(beta + theta) - zf*sin(omega + epsilon) + u*cos(epsilon) - ya;
initial equation
  theta = 0;
  vtheta = 0;
  annotation(experiment(StartTime = 0, StopTime = 0.03, Tolerance = 1e-7));
end AndrewsSqueezer;
