model Relay "heated body with hysteresis: two modes, 40 000 switches"
  Real T(start = 0, fixed = true) "temperature";
  Boolean on(start = true, fixed = true) "heater";
equation
  der(T) = -T + (if on then 2 else 0);
  on = if pre(on) then T <= 1.1 else T < 0.9;
  annotation(experiment(StopTime = 8026.6));
end Relay;
