// Robertson's chemical reaction as a DAE.
// Physics: three species, rates that differ by nine powers of ten; the amounts sum to one.
/sign(/) Interesting: conservation of mass takes the place of the third rate equation: index 1, very stiff.
// Source: H. H. Robertson 1966; Hairer and Wanner II.
model Robertson "Stiff kinetics with conserved mass"
  Real y1(start = 1, fixed = true);
  Real y2(start = 0, fixed = true, nominal = 1e-5);
  Real y3(start = 0);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
  annotation(experiment(StopTime = 1e5, Tolerance = 1e-8, Interval = 100));for i in 1:3 loop w[i] = i; end for;
end Robertson;
