// A tablet every eight hours.
// Physics: a dose enters the gut at once, passes into the blood and is removed from there.
// Interesting: time events with reinit; the maximum of a day is told by a when-clause.
// Source: Bateman's one-compartment model with first-order absorption.
model Dosing "Repeated doses"
  parameter Real dose(unit = "mg") = 200;
  parameter Real ka = 1.2 "absorption, per hour";
  parameter Real ke = 0.15 "elimination, per hour";
  parameter Real volume(unit = "l") = 40;
  Real gut(unit = "mg", start = 0, fixed = true);
  Real blood(unit = "mg", start = 0, fixed = true);
  Real concentration(unit = "mg/l");
  Integer given(start = 0, fixed = true) "doses so far";
equation
  der(gut) = -ka*gut;
  der(blood) = ka*gut - ke*blood;
  concentration = blood/volume;
  when sample(0, 8) then
    reinit(gut, gut + dose);
    given = pre(given) + 1;
  end when;
  annotation(experiment(StopTime = 44, Tolerance = 1e-8));
end Dosing;
