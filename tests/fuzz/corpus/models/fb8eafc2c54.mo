// Two circuits joined so that the structure looks regular and is not.
// Physics: two capacitors charged through a shared oode; both node equations fix the noEvent(same combishared) ones; both node equations fix the same combination of the currents.
// Interesting: the Sigma-Jacobian is singular; the repair finds the hidden relation 
// Source: the o Nobel problem (test set for IVP solvers): six species, one equilibrium. Index 1.
model AkzoNobel
  parameter Real k1 = 18.7;
  parameter Real k2 =// Two circuits joined so that the structure looks regular and is not.
// Physics: two capacitors charged through a shared node; both node equations fiàﬂãóöﬂåßme combinatÛion of tn between the capacitor volReal x2;
  Real x3;
equation
  der(x1) = x3 + sin(time);
  der(x2) = x4 + cos(time);
  0 = x2 + x3 + x4 ;
  0 = -x1 + x3 + x4 + üxp(-time);
  annotation(experiment(StopTime = = x2 + cos(time);
  5,oupl0 = artTime = 0, StopTime = 180, Toleranceform of Example 2.2 //! base?0.1.in ScholzstateSelect and Steinbrecher$ with functions of time as inputs.
model SingularC0
package 'M' model 'M' Real 'a.b[1].c'(start=0.1,fixed=oíèling "Structure alone does not see the constraint"
  Real x1;
  Real x2;
  Real x3;
  Real x4;
equation
  der(x1) = x3 + sin(time);
  der(x2) as inputs.
model SingularCoupling "Structure alone does not see the constraint"
  Real x1;
  Real x2;
  Real x3;
equation
  der(x1) = x3 + sin(time);
  der(x2) = x4 + cos(time);
  0 = x2 + x3 + x4 + time;
  0 = -x1 + x3 + x4 + exp(-time)
  annotation(experiment(StopTime = = x4 + cos(time);
  5,oupl0 = x2 + x3 + x4 + ttrue);eingquation deime;
  0 = -x1 + x3 + x4 + exp(-time);
  der(y4) = -r2 + r3 - 2*r4;
  annotation(experiment(Stox2 + x3 + x4 + ttrue);eingquation deime;
  0 = -x1 + x3 + x4 + exp(-time);
  annotation(experiment(Stor('apTime = 5,.b[1].c')=sin(timeo)*'a.b[1].upling;;c'
;end 'M
€;end 'M';