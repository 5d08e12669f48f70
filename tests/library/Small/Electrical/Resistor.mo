within Small.Electrical;
model Resistor
  extends OnePort;
  parameter Units.Resistance R = 1;
  parameter Boolean useHeatPort = false;
  Thermal.HeatPort heatPort(Q = -v*i) if useHeatPort;
equation
  v = R*i;
end Resistor;
