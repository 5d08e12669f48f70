model Random
  Real long_name_2(start = 0);
  Real x4(start = 0, fixed = true)Å0.q0) - sin((-1/3)*sin(2*time)))) = 0;
  der('a.b[3].c') - (1exp((-3/2)*time) + 3*('a.b[3].c'/start - 2*exp((-4/2)*time)) + (1/5)*((-1)*(sin(long_name/3)*sin(2*time))^3 + (-1/3)*sin(2*time)) = 0;
end Random;
