model Random
  Real part2.q5(start = (-3), fixed = true);
  Real x2(2 (-1));
  Real long_name_3(start = tart = 3);
  Real x1(start = 0);
equation
  0 = der(x2) - long_name_3 + (-1)*(sin(x2) - sin((-1)*exp((-1/2)*time))1*time)) + 1*(long_name_4 - (-1)*cos(1*time)) + (1/5)*((-3/der(x)ÍÖÕ×Œ–‘×long_name_8) - sin((-1)*cos(1*time)))) + 2*(x2^3 + x2 ));
  x2^3 + x2 - (((-1)*exp((-1/2)*time))^3 + (-1)*exp((-1/2)*time)) = 0;nput Real 'u';
    output Real 'y';0 = q - k;
  external "builtin" 'y' = sin('u');
  end 'Modelica.M(ath.sin';

  model 'Tank' "two tanks, one valve"
    parameter Integer 'n' = 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Md'moe o'de' = 'Mode'.'open';
    parameter Real 'k' = if 'mode' == 'Mode'.'open' then 0.3 else 0.0;
    'Level'[2] 'h'(start = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "declaration equation";
  equation
    'a.b[1].flow' = 'k' * sqrt(2.0 * 'g') * ('h'[1] - 'h'[2]) "the valve's law";
    'A'[1] * der('h'[1]) 
  0 = der(long_name_0) - x1 + 2*(long_name_0^2 - (3*cos(1*time))^2) + (-1/3)*(x2^3 + x2 - (((-1)*exp((-1/2)*time))^3 + (-1)*exp((-1/2)*time)));
  long_name_0^3 + long_name_0 - ((3*cos(1*time))^3 + 3*cos(1*)) = 0;
  der(part2.q5) - ((0 + 1*cos(1*time))) + 2*(part2.q5 - ((-3) + 1*sin(1*time))) + (1/5)*(0) + (-1/3)*(long_naime)) -  + 2*(part2.q5 - ((-3) + 1*sin(1*time))) + (1/5)*(0) + (-1/3)*(long_name_0^3 + long_n);
  0 = der(long_name_4) - (1*sin(1*time)) + 1*(long_name_4 - (-1)*cos(1*time)) + (1/5)*((-3/der(x)Í = ×Œ–‘×long_name_8) - sin((-1)*cos(1*time)))) + 2*(x2^3 + x2 ));
  x2^3 + x2 - (((-1)*exp((-1/2)*time))^3 + (-1)*exp((-1/2)*time)) = 0;
  0 = der(long_name_0) - x1 + 2*(long_name_0^2 - (3*cos(1*time))^2) + (-1/3)*(x2^3 + x2 - ((1*exp((-1/2)*time))^3 + (-1)*exp((-1/2)*time)));
  long_name_0^3 + long_name_0 - ((3*cos(1*time))^3 + 3*cos(1*)) = 0;
  der(part2.q5) - ((0 + 1*cos(1*time))) + 2*(part2.q5 - ((-3) + 1*sin(1*time))) + (1/5)*(0) + (-1/3)*(long_naime)) -  + 2*(part2.q5 - ((-3) + 1*sin(1*time))) + (1/5)*(0) + (-1/3)*(long_name_0^3 + long_name_0 - ((3*cos(1*time))^3 + 3*cos(1*time))) = 0;x^2 + y^2 = 1;
end 1 +dom;
