// A sampled controller with a continuous plant.
// Physics: a first-order plant is held at its set point by a proportional-integral controller that measures every 0.1 s.
// Interesting: ticks are exact times (k/10, not a sum of rounded tenths); between them nothing is discrete.
// Source: the plant is linear, so that its values at the ticks follow a recursion.
model SampledControl "Digital controller, analogue plant"
  parameter Real K = 2;
  parameter Real Ti = 0.5;
  parameter Real dt = 0.1 "sampling period";
  parameter Real r = 1 "set point";
  Real x(start = 0, fixed = true) "plant";
  discrete Real u(start = 0, fixed = true) "to the plant";
  discrete Real sum(start = 0, fixed = true) "integral of the error";
equation
  der(x) = -x + u;
  when sample(0, dt) then
    sum = pre(sum) + dt*(r - x);
    u = K*(r - x) + K/Ti*sum;
  end when;
  annotation(experiment(StopTime = 4.95, Tolerance = 1e-8));
end SampledControl;
