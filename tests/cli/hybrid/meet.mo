model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true),
    d(start = 0, fixed = true), e(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = 1e-4;
  when sample(0.5, 0.5) then a = pre(a) + 1; elsewhen x >= 1 then a = 0; end when;
  when x >= 1.5 then b = 1; elsewhen sample(0.5, 0.5) then b = 10*pre(b) + 2; end when;
  when time >= 0.75 then c = 1; elsewhen y >= 0.75e-4 then c = 2; end when;
  when time > 1.25 then d = 1; elsewhen x > 1.25 then d = 2; end when;
  when sample(0.5, 0.5) then e = 1; elsewhen x > 1.5 then e = 2; end when;
  annotation(experiment(StopTime = 1.8, Interval = 1e-2));
end M;
