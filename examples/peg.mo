// A pendulum whose string hits a peg.
// Physics: a mass on a string of length 1 swings; half way down below the support a peg catches the string, so that
//          on one side the mass swings about the peg with half the length.
// Interesting: an index 3 model whose constraint changes at events: position and velocity satisfy both constraints there,
//              which the restart checks, so that nothing jumps but the force in the string.
// Source: Galileo's interrupted pendulum: the mass reaches the height it was released from on both sides.
model Peg "Interrupted pendulum"
  parameter Real L(unit = "m") = 1;
  parameter Real d(unit = "m") = 0.5 "depth of the peg below the support";
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real x0(unit = "m") = -0.6 "released here, at rest";
  Real x(unit = "m", start = x0, fixed = true);
  Real y(unit = "m", start = -0.8);
  Real u(unit = "m/s", start = 0, fixed = true);
  Real v(unit = "m/s");
  Real lambda "force per length";
  Boolean caught(start = false, fixed = true) "the string touches the peg";
  discrete Real c(unit = "m", start = 0, fixed = true) "height of the centre of the circle";
  discrete Real l(unit = "m", start = 1, fixed = true) "free length";
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*(y - c) - g;
  x^2 + (y - c)^2 = l^2;
  when x > 0 then
    caught = true;
    c = -d;
    l = L - d;
  elsewhen x < 0 then
    caught = false;
    c = 0;
    l = L;
  end when;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end Peg;
