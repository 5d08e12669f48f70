Real q(start = 1, fixed = true);
initial equation
//!g_name_4) - ((-1/2/el SingularC*time1) + 1*(long_name_4 - 3*cos((1/2)*time)) +el SingularC*time + (1/5)*((-2)*(long_name;3^2 - ((-2) <  'MÛ;end 'M';