within Small;
package Thermal "A package in one file"
  connector HeatPort
    Real T(unit = "K");
    flow Real Q(unit = "W");
  end HeatPort;

  model Ambient
    parameter Real T = 293.15;
    HeatPort port;
  equation
    port.T = T;
  end Ambient;

  model World
    parameter Real g = 10;
    annotation(defaultComponentPrefixes = "inner");
  end World;

  model Falling
    outer World world;
    Real h(start = 1, fixed = true);
  equation
    der(h) = -world.g;
  end Falling;
end Thermal;
