model Ball "elastic ball: impact k is at (2 k - 1) sqrt(2/g)"
  Real h(start = 1, fixed = true) "height";
  Real v(start = 0, fixed = true) "velocity";
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -pre(v));
  end when;
  annotation(experiment(StopTime = 9030));
end Ball;
