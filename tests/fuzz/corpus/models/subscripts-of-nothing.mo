// A house of thermal components: an array of wall layers, a room, a heater, the weather.
// Physics: temperatures are equal and heat flows sum to zero at every port.
// Interesting: arrays of components connected in a loop; an outer ambient that the walls share.
// Source: Fourier's law, lumped.
connector Port
  Real T(unit = "K");
  flow Real Q(unit = "W");
end Port;

model Ambient
  parameter Real T(unit = "K") = 273;
end Ambient;

model Mass "stores heat"
  Port port;
  parameter Real C(unit = "J/K") = 1;
  parameter Real T0(unit = "K") = 293;
equation
  C*der(port.T) = port.Q;
initial equation
  port.T = T0;
end Mass;

model Conductor
  Port a, b;
  parameter Real G(unit = "W/K") = 1;
equation
  a.Q = G*(a.T - b.T);
  a.Q + b.Q = 0;
end Conductor;

model Outside "the weather at a wall"
  Port port;
  outer Ambient ambient;
equation
  port.T = ambient.T;
end Outside;

model Wall "n layers: conductors with masses between them"
  parameter Integer n = 3;
  Port inside;
  Outside outside;
  Conductor layers[n + 1](each G = 100);
  Mass masses[n](each C = 2e5);
equation
  connect(inside, layers[1].a);
  for i in 1:n loop
    connect(layers[i].b, masses[i].port);
    connect(masses[i].port, layers[i + 1].a);
  end for;
  connect(layers[n + 1].b, outside.port);
end Wall;

model Heater
  Port port;
  parameter Real P(unit = "W") = 1000;
equation
  port.Q = -P;
end Heater;

model HouseComponents "Two walls and a heater"
  inner Ambient ambient(T = 268);
  Mass room(C = 1e5);
  Wall north(n = 3), south(n = 2);
  Heater heater(P = 1500);
equation
  connect(room.port, north.inside);
  connect(room.port, south.inside);
  connect(heater.port, room.port);
  annotation(experiment(StopTime = 36000, Tolerance = 1e-8, Interval = 600));
end HouseComponents;
