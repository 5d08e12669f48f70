// A bridge rectifier with four diodes.
// Physics: a sinusoidal source with an inner resistance charges a capacitor through a diode bridge; a resistor is the load.
// Interesting: each diode is a switch on its own characteristic parameter s, as the Modelica Standard Library writes it; which
//              diodes conduct and the currents are one mixed system. Currents pass in pairs.
// Source: Clauss et al. 1996 for the parametric form of the ideal diode.
model Rectifier "Four ideal diodes, a mixed system at each event"
  parameter Real Ron = 1e-5 "resistance of a diode that conducts";
  parameter Real Goff = 1e-5 "conductance of a diode that blocks";
  parameter Real R = 100 "load";
  parameter Real C = 1e-3;
  parameter Real Ri = 0.5 "of the source";
  Real u "of the source";
  Real i "from the source";
  Real v[4], j[4], s[4] "voltages, currents and parameters of the diodes";
  Boolean off[4];
  Real a, b, n "potentials: the two poles of the source, the negative pole of the load";
  Real uC(start = 0, fixed = true) "of the load; its positive pole is ground";
equation
  u = 10*sin(2*3.141592653589793*50*time);
  a - b = u - Ri*i;
  for k in 1:4 loop
    off[k] = s[k] < 0;
    v[k] = s[k]*(if off[k] then 1 else Ron);
    j[k] = s[k]*(if off[k] then Goff else 1);
  end for;
  v[1] = a;
  v[2] = b;
  v[3] = n - a;
  v[4] = n - b;
  i + j[3] = j[1];
  j[1] + j[2] = j[3] + j[4];
  C*der(uC) = j[1] + j[2] - uC/R;
  uC = -n;
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6));
end Rectifier;
