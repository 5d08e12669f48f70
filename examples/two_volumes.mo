// Two volumes of gas.
// Physics: ideal gas flows at 300 K into a first volume, on into a second one and out through a valve.
//          Mass and energy balances hold for each; nothing resists the flow between them,
//          so both have the same pressure, and the flow w1 is whatever that takes.
// Interesting: index 2 through p1 = p2; four steady-state conditions for three degrees of freedom:
//              one is redundant, and check-init prints the proof in 36 steps.
// Source: Ochel, Bachmann, Casella 2014, appendix.
model TwoVolumesEquationsFullSteadyStateMassAndEnergy
  "Two volumes of ideal gas, connected without pressure drop; all masses and energies start in steady state"
  Real M1(stateSelect = StateSelect.avoid, start = 1.0) "mass";
  Real M2(stateSelect = StateSelect.avoid, start = 1.0);
  Real E1(stateSelect = StateSelect.avoid, start = 1.0) "internal energy";
  Real E2(stateSelect = StateSelect.avoid, start = 1.0);
  Real p1(stateSelect = StateSelect.prefer, start = 1.0) "pressure";
  Real p2(stateSelect = StateSelect.prefer, start = 1.0);
  Real T1(stateSelect = StateSelect.prefer, start = 1.0) "temperature";
  Real T2(stateSelect = StateSelect.prefer, start = 1.0);
  Real w0 "mass flow rates";
  Real w1;
  Real w2;
  Real h1 "specific enthalpies";
  Real h2;
  parameter Real V = 1;
  parameter Real R = 400;
  parameter Real cp = 1000;
  parameter Real cv = cp - R;
  parameter Real h0 = cp*300;
  parameter Real Kv = 1e-7;
initial equation
  der(M1) = 0;
  der(E1) = 0;
  der(M2) = 0;
  der(E2) = 0;
equation
  der(M1) = w0 - w1;
  der(E1) = w0*h0 - w1*h1;
  der(M2) = w1 - w2;
  der(E2) = w1*h1 - w2*h2;
  M1 = V*p1/(R*T1);
  M2 = V*p2/(R*T2);
  E1 = M1*cv*T1;
  E2 = M2*cv*T2;
  h1 = cp*T1;
  h2 = cp*T2;
  w0 = 0.01;
  w2 = Kv*p2;
  p1 = p2;
end TwoVolumesEquationsFullSteadyStateMassAndEnergy;
