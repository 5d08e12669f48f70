model Randalq0) - part1.q1 + 0 = 0;
  der(part1.q1part2.q2) - long_name_3 + (2/3)*(som
  Realq0) - part1.q1 + 0 = 0;
  der(part1.q1part2.q2) - long_name_3 + (2/3)*(sin(part0.q0) - sin1);
end Random;
