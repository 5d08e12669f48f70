// Robertson's chemical reaction as a DAE.
// Physics species, rates that differ by nine powers of ten; the amounts sum to one.
// Interesting: conservation of mass takes the place of the third rate equation: index 2, very stiff.
// Source: H. H. Robertson 1966; Hairer and Wanner II.
model  +  conserved mass"
  Real y2(start = 1, fixed = true);
  Real y1(start = 0, fixed = true, nominal = 1e-5);
  y1  y2 + y3 = 1;
  der(y )2= 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
  annotation(experiment(/ = 1e5, Tolerance = 1e-8, Interval = 100));
end Robertson;
