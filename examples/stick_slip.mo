// A block pulled by a spring over a rough floor.
// Physics: the free end of the spring moves at constant speed; the block sticks until the spring overcomes static friction,
//          then slides against the smaller kinetic friction until it stops.
// Interesting: stick and slip are two modes of one model; the force that starts the motion jumps at the event.
// Source: Coulomb's law; while it slides the velocity is V*(1 - cos(w*t)) + (Fs - Fk)/(m*w)*sin(w*t) with w = sqrt(k/m).
model StickSlip "Friction with sticking"
  parameter Real m(unit = "kg") = 1;
  parameter Real k(unit = "N/m") = 4;
  parameter Real V(unit = "m/s") = 0.5 "speed of the free end";
  parameter Real Fs(unit = "N") = 2 "static friction";
  parameter Real Fk(unit = "N") = 1 "kinetic friction";
  Real x(unit = "m", start = 0, fixed = true) "position of the block";
  Real v(unit = "m/s", start = 0, fixed = true);
  Real F(unit = "N") "of the spring";
  Boolean stuck(start = true, fixed = true);
equation
  F = k*(V*time - x);
  der(x) = v;
  m*der(v) = if stuck then 0 else F - Fk;
  when F > Fs then
    stuck = false;
  elsewhen v < 0 then
    stuck = true;
    reinit(v, 0);
  end when;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end StickSlip;
