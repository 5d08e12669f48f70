within Small.Electrical;
model Capacitor
  extends OnePort;
  parameter Real C(unit = "F") = 1;
equation
  C*der(v) = i;
end Capacitor;
