"""Rules of the Modelica Language Specification 3.6 on what names reach and what prefixes may
stand before a type, in the form of modelica_rules.py (test_modelica_rules.py).
"""

LIBRARY = "package P constant Real k = 2; protected package Q constant Real c = 3; end Q; " \
    "model H Real x = 4; end H; constant Real hidden = 5; function g input Real u; output Real y; " \
    "algorithm y := 2*u; end g; public model V H h; Real z = P.Q.c + hidden; end V; end P;\n"
CAUSAL = "connector C Real e; flow Real f; input Real x; end C;\n"

GOOD = [
    ("4.1 protected classes inside of their package", LIBRARY + "model M P.V v; end M;",
     ["Real v.h.x = 4;", "Real v.z = 8;"]),
    ("4.1 protected classes of a base class", LIBRARY + "model D extends P.V; end D; model E "
     "protected model H Real x = 7; end H; end E; model M extends E; H h; D d; end M;",
     ["Real h.x = 7;", "Real d.z = 8;"]),
    ("9.4.1 predefined operators from the top", "type A extends Real; function equalityConstraint "
     "input A a; input A b; output Real r[0]; algorithm end equalityConstraint; end A; "
     "connector C A a; Real v; flow Real i; end C; model M C c; C d; equation c.i = 1; c.v = 2; "
     "c.a = 3; d.a = 3; connect(c, d); .Connections.branch(c.a, d.a); .Connections.root(c.a); "
     "assert(.Connections.isRoot(c.a) and not .Connections.isRoot(d.a), \"no root\"); end M;",
     ["c.a = 3;", "c.v = d.v;"]),
    ("5.3.3 a call from the top is a statement", "package P function f input Real u; algorithm "
     "assert(u < 9, \"large\"); end f; end P; model M Real x = time; equation .P.f(x); end M;",
     ["assert(noEvent(x < 9), \"large\");"]),
    ("4.4.2.2 flow of a record, input of a record", "record R Real a; Real b; end R; connector C R "
     "e; flow R f; end C; block B input R u; Real y = u.a + u.b; end B; model M C c; B b(u = R(1, "
     "2)); equation c.e.a = 3; c.e.b = 4; end M;", ["c.f.a = 0;", "Real b.u.b = 2;"]),
    ("13.2.1 imports from packages, operators and classes", "package P class K constant Real k = "
     "2; constant Real m = 3; end K; end P; model M import P.K.k; import P.K.*; Real x = k + m; "
     "end M;", ["Real x = 5;"]),
]

BAD = [
    ("4.1 a protected class", LIBRARY + "model M P.H h; end M;", "2:9", "'H' is protected"),
    ("4.1 a protected package", LIBRARY + "model M Real y = P.Q.c; end M;", "2:18",
     "'Q' is protected"),
    ("4.1 a protected constant", LIBRARY + "model M Real y = P.hidden; end M;", "2:18",
     "'hidden' is protected"),
    ("4.1 a protected function", LIBRARY + "model M Real y = P.g(time); end M;", "2:18",
     "'g' is protected"),
    ("4.1 a protected constant of a base class", "model A protected constant Real k = 2; end A;\n"
     "model M extends A; Real y = A.k; end M;", "2:29", "'k' is protected"),
    ("13.2.1 a protected element is not imported", LIBRARY + "model M import P.hidden; Real y = "
     "hidden; end M;", "2:16", "'hidden' is protected"),
    ("13.2.1 nor with all others", LIBRARY + "model M import P.*; Real y = hidden; end M;", "2:16",
     "'hidden' is protected"),
    ("13.2.1 imports from a model", "model A model B Real x; end B; end A;\nmodel M import A.B; "
     "B b; end M;", "2:16", "'A' is no package"),
    ("13.2.1 imports of all of a model", "model A model B Real x; end B; end A;\nmodel M import "
     "A.*; B b; end M;", "2:16", "'A' is no package"),
    ("5.3.2 a function of an array of components", "model A function f input Real u; output Real y; "
     "algorithm y := u; end f; end A;\nmodel M A a[2]; Real x = a.f(2.0); end M;", "2:26",
     "'a' is an array"),
    ("4.8 a component is called like a predefined type", "model M Real Integer = 2; end M;", "1:14",
     "'Integer' is a predefined type"),
    ("4.8 a class is called like a predefined type", "model M model Real Integer x; end Real; "
     "Real r; end M;", "1:15", "'Real' is a predefined type"),
    ("4.4.2.2 an input of a model", "model A Real x = 1; end A;\nmodel M input A a; end M;",
     "2:17", "'a' is of a model"),
    ("4.4.2.2 a constant model", "model A Real x = 1; end A;\nmodel M constant A a; end M;",
     "2:20", "'a' is of a model"),
    ("4.4.2.2 a flow of a model", "model A Real x; end A;\nconnector C Real e; flow A f; end C; "
     "model M C c; end M;", "2:28", "'f' is of a model"),
    ("4.4.2.2 a flow of type Integer", "connector C Real e;\nflow Integer f; end C; model M C c; "
     "end M;", "2:14", "'f' is flow or stream: its type is Real"),
    ("4.4.2.2 input of input", CAUSAL + "model M input C c(e = 1, x = 2); end M;", "2:17",
     "'c' is input or output, and so is something in it"),
    ("4.4.2.2 input of input by a short class", CAUSAL + "connector D = output C;\nmodel M D c(e = "
     "1, x = 2); end M;", "3:11", "'c' is input or output, and so is something in it"),
]
