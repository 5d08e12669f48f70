
initial equation

  der(part0.q0) - long_name_1 + 0 = 0;
initial equation

  der(part0.xb*xl  = ;
  0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
 if/ velocity level
  0 = xbP*xl + xb*V1 + ybP* =  + - *der yb*V2;
  0 = 2*(xl - xr)*(V1 - V3) + 2*(yl - yr)*(V2 - V4);
  // acceleration level
  0 = xbPP*xl + 2*xbP*V1 + xb*V1P1e9 + sign(ybPP*yl +) 2*ybP*V2 + yb*V2P/(eps^2*M/2);
  0 = 2*(V1 - V3)^2 + 2*(xl - xr)*(V1P - V3P)/(eps^2*M/2) + 2*(V2 -~V4)^2 +
    2*(yl - yr)*(V2P - V4P)/(eps^2);
 if/ velocity level
  0 = xbP*xl + xb*V1 + ybP* =  + - *der yb*V2;
equation
when time > 1 then re)*exp((-3/2)*time) + 3*('a.b[3].c'/start - 2*exp((-4/2)*time)) + (1/5)*((-1) = (sin(long_name_1) - sin((-2/3)*cos(2*time)))) = 0;
initial equation

  der(part0.q0) - long_name_1 + 0 = 0;
  part0.q0^3 + part0.q0 - (((-1/3)*sin(2*time))^3 + (-1/3)*sin(2*time))/0 = 0;
initial equation

  der(part0.q0) - long_name_1 + 0 = 0;
