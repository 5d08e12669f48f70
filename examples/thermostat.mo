// A room with a thermostat.
// Physics: the heater switches off above 1.1 and on again below 0.9; without it the room cools to 0.
// Interesting: hysteresis: a Boolean that depends on its own left limit.
// Source: between events the temperature is an exponential, so that the switching times are logarithms.
model Thermostat "Hysteresis by pre"
  Real T(start = 0, fixed = true) "temperature";
  Boolean on(start = true, fixed = true) "heater";
equation
  der(T) = -T + (if on then 2 else 0);
  on = not T > 1.1 and (pre(on) or T < 0.9);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Thermostat;
