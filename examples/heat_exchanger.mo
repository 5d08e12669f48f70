// A counter-flow heat exchanger.
// Physics: a hot and a cold stream flow against each other, five cells a side; each cell stores heat,
//          gives some to its opposite through the wall
//          and passes its own on to the next.
// Interesting: arrays and for-equations; the heat flows are algebraic, index 1; stiff when the wall is thin.
// Source: energy balances of a lumped exchanger as in any text on heat transfer.
model HeatExchanger "Counter-flow heat exchanger"
  constant Integer n = 5;
  parameter Real C_hot(unit = "J/K") = 800 "heat capacity of a hot cell";
  parameter Real C_cold(unit = "J/K") = 1000 "heat capacity of a cold cell";
  parameter Real W_hot(unit = "W/K") = 120 "heat capacity flow, hot";
  parameter Real W_cold(unit = "W/K") = 150 "heat capacity flow, cold";
  parameter Real UA(unit = "W/K") = 90 "conductance of the wall of one cell";
  parameter Real T_hot_in(unit = "K") = 363.15;
  parameter Real T_cold_in(unit = "K") = 288.15;
  Real Th[n](each start = 300, each fixed = true, each unit = "K") "hot side";
  Real Tc[n](each start = 290, each fixed = true, each unit = "K") "cold side";
  Real q[n](each unit = "W") "heat through the wall";
equation
  for i in 1:n loop
    q[i] = UA*(Th[i] - Tc[i]);
  end for;
  C_hot*der(Th[1]) = W_hot*(T_hot_in - Th[1]) - q[1];
  for i in 2:n loop
    C_hot*der(Th[i]) = W_hot*(Th[i - 1] - Th[i]) - q[i];
  end for;
  for i in 1:n - 1 loop
    C_cold*der(Tc[i]) = W_cold*(Tc[i + 1] - Tc[i]) + q[i];
  end for;
  C_cold*der(Tc[n]) = W_cold*(T_cold_in - Tc[n]) + q[n];
  annotation(experiment(StartTime = 0, StopTime = 120, Tolerance = 1e-6, Interval = 0.5));
end HeatExchanger;
