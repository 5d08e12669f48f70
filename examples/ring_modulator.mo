// A ring modulator without its parasitic capacitance.
// Physics: two signals, of 1 kHz and 10 kHz, meet in a ring of four diodes between two transformers;
//          the output carries their product.
//          The capacitance Cs across the diodes is left out, so their currents balance at once.
// Interesting: the four diode equations become algebraic and dependent in what they determine: the structure looks
//              regular and is not; analyze repairs it, index 2. Stiff and oscillating.
// Source: Horneber 1976; test set for IVP solvers with Cs = 0.
model RingModulator
  parameter Real C = 1.6e-8;
  parameter Real Cp = 1e-8;
  parameter Real R = 25000;
  parameter Real Rp = 50;
  parameter Real Lh = 4.45;
  parameter Real Ls1 = 0.002;
  parameter Real Ls2 = 5e-4;
  parameter Real Ls3 = 5e-4;
  parameter Real Rg1 = 36.3;
  parameter Real Rg2 = 17.3;
  parameter Real Rg3 = 17.3;
  parameter Real Ri = 50;
  parameter Real Rc = 600;
  parameter Real gamma = 40.67286402e-9;
  parameter Real delta = 17.7493332;
  constant Real pi = 3.14159265358979323846;
  Real y1(start = 0, fixed = true);
  Real y2(start = 0, fixed = true);
  Real y3(start = 0);
  Real y4(start = 0);
  Real y5(start = 0);
  Real y6(start = 0);
  Real y7(start = 0, fixed = true);
  Real y8(start = 0, fixed = true);
  Real y9(start = 0, fixed = true);
  Real y10(start = 0, fixed = true);
  Real y11(start = 0, fixed = true);
  Real y12(start = 0, fixed = true);
  Real y13(start = 0);
  Real y14(start = 0, fixed = true);
  Real y15(start = 0, fixed = true);
equation
  C*der(y1) = y8 - 0.5*y10 + 0.5*y11 + y14 - y1/R;
  C*der(y2) = y9 - 0.5*y12 + 0.5*y13 + y15 - y2/R;
  0 = y10 - gamma*(exp(delta*(y3 - y5 - y7 - 2*sin(20000*pi*time))) - 1)
    + gamma*(exp(delta*(-y3 - y6 + y7 + 2*sin(20000*pi*time))) - 1);
  0 = -y11 + gamma*(exp(delta*(-y4 + y6 - y7 - 2*sin(20000*pi*time))) - 1)
    - gamma*(exp(delta*(y4 + y5 + y7 + 2*sin(20000*pi*time))) - 1);
  0 = y12 + gamma*(exp(delta*(y3 - y5 - y7 - 2*sin(20000*pi*time))) - 1)
    - gamma*(exp(delta*(y4 + y5 + y7 + 2*sin(20000*pi*time))) - 1);
  0 = -y13 - gamma*(exp(delta*(-y4 + y6 - y7 - 2*sin(20000*pi*time))) - 1)
    + gamma*(exp(delta*(-y3 - y6 + y7 + 2*sin(20000*pi*time))) - 1);
  Cp*der(y7) = -y7/Rp + gamma*(exp(delta*(y3 - y5 - y7 - 2*sin(20000*pi*time))) - 1)
    + gamma*(exp(delta*(-y4 + y6 - y7 - 2*sin(20000*pi*time))) - 1)
    - gamma*(exp(delta*(y4 + y5 + y7 + 2*sin(20000*pi*time))) - 1)
    - gamma*(exp(delta*(-y3 - y6 + y7 + 2*sin(20000*pi*time))) - 1);
  Lh*der(y8) = -y1;
  Lh*der(y9) = -y2;
  Ls2*der(y10) = 0.5*y1 - y3 - Rg2*y10;
  Ls3*der(y11) = -0.5*y1 + y4 - Rg3*y11;
  Ls2*der(y12) = 0.5*y2 - y5 - Rg2*y12;
  Ls3*der(y13) = -0.5*y2 + y6 - Rg3*y13;
  Ls1*der(y14) = -y1 + 0.5*sin(2000*pi*time) - (Ri + Rg1)*y14;
  Ls1*der(y15) = -y2 - (Rc + Rg1)*y15;
  annotation(experiment(StartTime = 0, StopTime = 0.001, Tolerance = 1e-6));
end RingModulator;
