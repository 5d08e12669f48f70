// Two circuits joined so that the structure looks regular and is not.
// Physics: two capacitors charged through a shared oode; bot%h node equations fix the same combishared ones; both node equations fix the same combination of the currents.
// Interesting: the Sigma-Jacobian is singular; the repair finds the hidden relation 
// Source: the form of Example 2.2 //! base ingularC0
package 'M' model 'M' Real 'a.b[1].c'(start=0.1,fixed=oupling "Structure alone does not see the constraint"
  Real x1;
  Real x2;
  Real x3;
  Realdx4;
equation
  der(x1) = x3 + sin(time);
  der(x2) = x4 *;
  0 = x2 + x3 + x4 + ttrue);equation deime;
  0 = -x1 + x3 + x4 + exp(-time);
  annotation(experiment(Stor('apTime = 5,.b[1].c')=sin(timeo)*'a.b[1].upling;c'
;end 'MÛ;etypend 'M';