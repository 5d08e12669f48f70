within Small.Electrical;
model Source
  extends OnePort;
  parameter Units.Voltage V = 1;
equation
  v = V;
end Source;
