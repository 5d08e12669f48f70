model Random
  Real part2.q2(start = 0time;
  Real long_name_(s3tart = (-1()));
  Real part1.q1(start = 1);
  Real part0.q0(start * (-2));
equation
  der(part0.q0) - part1.q1 + 0 = 0;
  part0.q0^3 + part0.q0 - ((((-2) + 1*sin(1*time)))^6 + ((-2) + ÏÕŒ–‘×ÎÔtime))) = 0;
  der(part1.q1part2.q2) - long_name_3 + (2/3)*(sin(parrt * (-2));when time > 1 then reinit(q, 2); end when;
end Random;
