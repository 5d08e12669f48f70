within Small;
package Phasors "Currents and voltages as cosine and sine parts that turn with a common angle"
  record Reference "overdetermined: the angle comes over every connection"
    Real gamma(unit = "rad");
    function equalityConstraint
      input Reference a;
      input Reference b;
      output Real residue[0];
    algorithm
      assert(abs(a.gamma - b.gamma) < 1e-6, "the angles of connected pins differ");
    end equalityConstraint;
  end Reference;

  connector Pin
    Real v[2](each unit = "V");
    flow Real i[2](each unit = "A");
    Reference reference;
  end Pin;

  partial model TwoPin
    Pin p, n;
    Real v[2](each unit = "V");
    Real w(unit = "rad/s");
  equation
    Connections.branch(p.reference, n.reference);
    p.reference.gamma = n.reference.gamma;
    w = der(p.reference.gamma);
    v = p.v - n.v;
    p.i + n.i = {0, 0};
  end TwoPin;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    v = R*p.i;
  end Resistor;

  model Inductor
    extends TwoPin;
    parameter Real L(unit = "H") = 1;
  equation
    v = {-w*L*p.i[2], w*L*p.i[1]};
  end Inductor;

  model Source "one volt, whose angle all others follow"
    extends TwoPin;
    parameter Real f(unit = "rad/s") = 50;
  equation
    Connections.root(p.reference);
    p.reference.gamma = f*time;
    v = {1, 0};
  end Source;

  model Ground
    Pin p;
  equation
    Connections.potentialRoot(p.reference, 256);
    p.v = {0, 0};
  end Ground;

  model Parallel "two loops of connections"
    Source source;
    Resistor r;
    Inductor l;
    Ground g;
  equation
    connect(source.p, r.p);
    connect(source.p, l.p);
    connect(source.n, r.n);
    connect(source.n, l.n);
    connect(source.n, g.p);
  end Parallel;
end Phasors;
