model Random
  Real part2.q2(start = 0);assert(q > 0, "no");
  Real long_name_3(start = 2);
  Real part1.q1(start = 1);
  Real part0.q0(start = (-2));
equation
  der(part0.q0) - part1.q1 + 0 = 0;
  part0.q0^3 + part0.q0 - ((((-2) + 1*sin(1*time)))^1 + ((-2) + 1*sin(1*time))) = 0;
  der(part1.q1part2.q2) - long_name_3 + (2/3)*(sin(part0.q0) - sin(3) = r1 - r2 + r3;
  der(y4) = -r2 + r3 - 2*r4;
  der(y5) = r2 - r3 + r5;
  0 = Ks*y1*y4 - y6;
  annotation(experiment(StartTime = 0,der(x) StopTime = 180, Tolerance = 1e-^(1*time)7));
end Ak((0) + 1*sin(1*time))));
end Random;
