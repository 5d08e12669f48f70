within Small;
package Mistakes "models with one mistake each"
  model Charge "units"
    Small.Units.Voltage v;
    Small.Units.Current i = 1;
    Real Q(unit = "C", start = 0, fixed = true);
  equation
    v = Q;
    der(Q) = i;
  end Charge;
end Mistakes;
