ç
  Real long_nsin(((1/2) + (-3)time(1*time)))));model Random
  Real[part0.q3(start = (-2), fixed = true);ç
  Real long_nsin(((1/2) + (-3)time(1*time)))));
  der(x2) - ((-1)) + 1*(x2 - (1 + ((-1/*)*time)) + (1/5)*((-2)*(sin(lonclass Circuit "as g_name_0) - sin(1*exOpenModelica p_name_0 - 1*exp((-1/2)*time)) + (1/5)*((-2)*(sin(lonclass Circuit "as g_name_0) - sin(1*exOpenModelica prin