within Small;
package Buses "Expandable connectors: what is on a bus is what connects put there"
  connector Out = output Real;
  connector In = input Real;
  connector Switch = output Boolean;
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  expandable connector Empty
  end Empty;

  expandable connector Engine "members that may be there"
    Real speed(unit = "rad/s");
    Real load;
    Small.Buses.Pin supply;
    Small.Buses.Empty gear;
  end Engine;

  expandable connector Many
    Real level[:];
  end Many;

  block Sensor
    parameter Real k = 1;
    Out y(unit = "m/s") = k*time;
  end Sensor;

  block Gauge
    In u;
    Real shown = 2*u;
  end Gauge;

  model Probe "puts a signal on its bus"
    parameter Real k = 1;
    Empty bus;
    Sensor sensor(k = k);
  equation
    connect(sensor.y, bus.speed);
  end Probe;

  model Display "takes one from its bus"
    Empty bus;
    Gauge gauge;
  equation
    connect(bus.speed, gauge.u);
  end Display;

  model Pair "from level to level, over buses in the middle"
    Probe probe(k = 3);
    Display display;
    Empty bus;
  equation
    connect(probe.bus, bus);
    connect(bus, display.bus);
  end Pair;

  model Nested "a bus on a bus, made by a connect"
    Pair pair;
    Display display;
    Empty main;
  equation
    connect(main.inner, pair.bus);
    connect(main.inner, display.bus);
  end Nested;

  model Declared "members of a declaration are there if somebody uses them"
    Engine bus;
    Sensor sensor;
  equation
    connect(sensor.y, bus.speed);
  end Declared;

  model Written "an equation uses them too"
    Engine a, b;
    Real seen = b.load;
  equation
    connect(a, b);
    a.load = 2*time;
  end Written;

  model Arrays "subscripts make arrays"
    Many bus;
    Empty other;
    Sensor sensors[2](k = {1, 5});
    Sensor fourth(k = 7);
    Gauge gauge;
  equation
    connect(sensors.y, bus.level[1:2]);
    connect(fourth.y, bus.level[4]);
    connect(sensors.y, other.all);
    connect(other.one[3], gauge.u);
    connect(other.one[3], fourth.y);
  end Arrays;

  model Source
    Pin p;
    parameter Real V = 12;
  equation
    p.v = V;
  end Source;

  model Load
    Pin p;
    parameter Real R = 4;
  equation
    p.v = R*p.i;
  end Load;

  model Supply "connectors with flows on a bus"
    Source source;
    Engine bus;
  equation
    connect(source.p, bus.supply);
  end Supply;

  model Lamp
    Engine bus;
    Load load;
    Empty unused;
  equation
    connect(load.p, bus.supply);
    connect(load.p, unused.extra);
  end Lamp;

  model Lights
    Supply supply;
    Lamp lamps[2](load(R = {4, 6}));
    Engine bus;
    Declared dark "has the bus, takes nothing from it";
  equation
    connect(supply.bus, bus);
    connect(bus, lamps[1].bus);
    connect(bus, lamps[2].bus);
    connect(bus, dark.bus);
  end Lights;
end Buses;
