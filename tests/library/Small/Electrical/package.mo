within Small;
package Electrical "Circuits"
  connector Pin
    Units.Voltage v;
    flow Units.Current i;
  end Pin;

  partial model OnePort
    Pin p, n;
    Units.Voltage v;
    Units.Current i;
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end OnePort;
end Electrical;
