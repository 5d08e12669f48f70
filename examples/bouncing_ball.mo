// A ball that bounces.
// Physics: a ball falls from 1 m and keeps 70 % of its speed at each bounce.
// Interesting: the smallest model with events: the bounce is located on the dense output and the velocity is set anew.
//              The bounces accumulate at t = 2.5586 s; the experiment ends before.
// Source: the first bounce is at sqrt(2*h0/g), each flight lasts e times the one before.
model BouncingBall "State events with reinit"
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real e = 0.7 "restitution";
  Real h(unit = "m", start = 1, fixed = true) "height";
  Real v(unit = "m/s", start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end BouncingBall;
