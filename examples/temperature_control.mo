// A room with a heater under PI control.
// Physics: the room stores heat, gets some from a radiator and loses some through its walls to the outside,
//          where the temperature rises and falls with the day. The radiator stores heat as well.
//          A controller sets the power from the deviation and its integral; the heater gives 0 to 2 kW, not more.
// Interesting: the power saturates, and the integral must then not run away (anti-windup by feeding the cut-off part back);
//              index 1 with min and max in it; check-init proves that the start is well-determined.
// Source: energy balances; PI control with back-calculation as in Astrom and Hagglund, PID Controllers, 1995.
model TemperatureControl "Room, radiator and PI controller with anti-windup"
  parameter Real C_room(unit = "J/K") = 4e5 "air and furniture";
  parameter Real C_radiator(unit = "J/K") = 4e4;
  parameter Real G_wall(unit = "W/K") = 60 "loss to the outside";
  parameter Real G_radiator(unit = "W/K") = 40;
  parameter Real P_max(unit = "W") = 2000;
  parameter Real k(unit = "W/K") = 1200 "gain";
  parameter Real Ti(unit = "s") = 3600 "integral time";
  parameter Real Tt(unit = "s") = 600 "tracking time of the anti-windup";
  parameter Real T_set(unit = "degC") = 21;
  constant Real pi = 3.14159265358979324;
  Real T(start = 12, fixed = true, unit = "degC") "room";
  Real T_radiator(start = 12, fixed = true, unit = "degC");
  Real T_outside(unit = "degC");
  Real I(start = 0, fixed = true, unit = "W") "integral part";
  Real wanted(unit = "W") "what the controller asks for";
  Real P(unit = "W") "what the heater gives";
equation
  C_room*der(T) = G_radiator*(T_radiator - T) - G_wall*(T - T_outside);
  C_radiator*der(T_radiator) = P - G_radiator*(T_radiator - T);
  T_outside = 2 - 6*cos(2*pi*time/86400);
  wanted = k*(T_set - T) + I;
  P = min(max(wanted, 0), P_max);
  der(I) = k/Ti*(T_set - T) + (P - wanted)/Tt;
  annotation(experiment(StartTime = 0, StopTime = 86400, Tolerance = 1e-7));
end TemperatureControl;
