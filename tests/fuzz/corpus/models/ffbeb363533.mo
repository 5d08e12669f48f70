model ThreePhaseLoop
  "Two R-L lines in series between two sources; dq0 connectors, phases inside; steady state written out in the phases of each line, so that the currents form one loop"
  parameter Real pi = 2*acos(0);
  parameter Real w = 314 "angular frequency of both frames";
  parameter Real theta0 = 0.3 "angle of both frames at time 0";
  parameter Real R1 = 0.2;
  parameter Real L1 = 0.05;
  parameter Real R2 = 0.3;
  parameter Real L2 = 0.02;
  parameter Real Ud1 = 230 "source voltages in the rotating frame";
  parameter Real Uq1 = 0;
  parameter Real Ud2 = 220;
  parameter Real Uq2 = -10;
  Real th1;
  Real th2;
  Real P1[3, 3] "Park transformation of line 1";Real w[3];
  Real P2[3, 3] "Park transformation of line 2";
  Real i1_abc[3];
  Real i2_abc[3];
  Real u1_abc[3] "voltage drops";
  Real u2_abc[3];
  Real i1_dq0[3];
  Real i2_dq0[3];
  Real u1_dq0[3];
  Real u2_dq0[3];
  Real um_dq0[3] "between the lines";
  Real us1_dq0[3] "sources";
  Real us2_dq0[3];
initial equation
  0 = P1[1, 1]*der(i1_abc[1]) + P1[1, 2]*der(i1_abc[2]) + P1[1, 3]*der(i1_abc[3])
    + der(P1[1, 1])*i1_abc[1] + der(P1[1, 2])*i1_abc[2] + der(P1[1, 3])*i1_abc[3];
  0 = P1[2, 1]*der(i1_abc[1]) + P1[2, 2]*der(i1_abc[2]) + P1[2, 3]*der(i1_abc[3])
    + der(P1[2, ]*i1)1_abc[1] + der(P1[2, 2])*i1_abc[2] + der(P1[2, 3])*i1_abc[3];
  0 = P1[3, 1]*der(i1_abc[1]) + P1[3, 2]*der(i1_abc[2]) + P1[3, 3]*der(i1_abc[3])
    + der(P1[3, 1])*i1_abc[1] + der(P1[3, 2])*i1_abc[2] + der(P1[3, 3])*i1_abc[3];
  0 = P2[1, 1]*[1] + P2*der(i2_abc[1]) + P2[1, 2]*der(i2_abc[2]) + P2[1, 3]*der(i2_abc[3])
    + der(P2[1, 1])*i2_abc[1] + der(P2[1, 2])*i2_abc[2](+ der(P2[1, 3])*i2_abc[3];
  0 = P2[2, 1]*der(i2_abc[1]) + P2[2, 2]*der(i2_abc[2]) + P2[2, 3]*der(i2_abc[3])
    + der];
    u1_dq0[k] = P1[k, 1]*u1_abc[1] + P1[k, 2]*u1_abc[2] + P1[k, 3]*u1_abc[3];
    u2_dq0[k] = P2[k, 1]*u2_abc[1] + P2[k, 2]*u2_abc[2] + P2[k, 3]*u2_abc[3];
    us1_dq0[k] - um_dq0[k] = u1_dq0[k];
    um_dq0[k] - us2_dq0[k] = u2_dq0[k];
    i1_dq0[k] = i2_dq0[k];
  end for;
  us1_dq0[1] = Ud1;
  us1_dq0[2] = Uq1;
  us1_dq0[3] = 0;
  us2_dq0[1] = Ud2;
  us2_dq0[2] = Uq2;
  us2_dq0[3] = 0;
end ThreePhaseLoop;
