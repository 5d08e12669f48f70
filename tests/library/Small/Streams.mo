within Small;
package Streams "Stream connectors: what flows out carries its enthalpy"
  connector Port
    Real p;
    flow Real m;
    stream Real h;
    stream Real c[2];
  end Port;

  model Boundary "pressure, enthalpy and concentrations given"
    parameter Real p = 0;
    parameter Real h = 0;
    parameter Real c[2] = {h/10, h/100};
    Port port;
  equation
    port.p = p;
    port.h = h;
    port.c = c;
  end Boundary;

  model Pipe "no storage: what comes in at one end leaves at the other"
    parameter Real k = 1;
    parameter Boolean isOneWay = false;
    Port a(m(min = if isOneWay then 0 else -1e60)), b;
    Real h = noEvent(if a.m > 0 then inStream(a.h) else inStream(b.h));
    Real actual = actualStream(b.h);
  equation
    a.m + b.m = 0;
    a.m = k*(a.p - b.p);
    a.h = inStream(b.h);
    b.h = inStream(a.h);
    a.c = inStream(b.c);
    b.c = inStream(a.c);
  end Pipe;

  model Volume "mixes what comes in"
    parameter Integer n = 2;
    Port ports[n];
    Real h(start = 0, fixed = true);
    Real c[2];
    Real into[n];
  equation
    for i in 1:n loop
      ports[i].p = 0.5;
      ports[i].h = h;
      ports[i].c = c;
      into[i] = inStream(ports[i].h);
    end for;
    der(h) = sum(ports[i].m*actualStream(ports[i].h) for i in 1:n) - h*sum(ports.m);
    c = inStream(ports[1].c);
  end Volume;

  model TwoPipes "connectors of its own, connected with those inside"
    Port a, b;
    Pipe first(k = 2), second(k = 2);
    Port middle "seen from inside and outside";
  equation
    connect(a, first.a);
    connect(first.b, second.a);
    connect(second.b, b);
    connect(second.a, middle);
  end TwoPipes;

  model Sensor
    Port port(m(min = 0));
    Real h = inStream(port.h);
  equation
    port.m = 0;
    port.h = 0;
    port.c = {0, 0};
  end Sensor;
end Streams;
