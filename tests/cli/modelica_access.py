"""Rules of the Modelica Language Specification 3.6 on what names reach and what prefixes may
stand before a type, in the form of modelica_rules.py (test_modelica_rules.py).
"""

LIBRARY = "package P constant Real k = 2; protected package Q constant Real c = 3; end Q; " \
    "model H Real x = 4; end H; constant Real hidden = 5; function g input Real u; output Real " \
    "y; " \
    "algorithm y := 2*u; end g; public model V H h; Real z = P.Q.c + hidden; end V; end P;\n"
FRAME = "type A extends Real; function equalityConstraint input A a; input A b; output Real " \
    "r[0]; " \
    "algorithm end equalityConstraint; end A; connector C A a; Real v; flow Real i; end C;\n" \
    "model M C c; C d; equation c.i = 1; c.v = 2; c.a = 3; d.a = 3; connect(c, d); "
BUS = "connector I = input Real; connector O = output Real; expandable connector EC Real x[:]; " \
    "end " \
    "EC; model Src O y[3]; equation y = {time, 2, 3}; end Src; model Sink I u[3]; Real s = " \
    "sum(u); " \
    "end Sink;\n"
CC = "connector C Real e; flow Real f; end C; partial function F input Real u; output Real y; " \
    "end " \
    "F; function g extends F; algorithm y := 2*u; end g; function app input F f; input Real x; " \
    "output Real y; algorithm y := f(x); end app;\nmodel M C c; "
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
    ("5.3.3 predefined statements from the top", "model M Real x(start = 1, fixed = true); "
     "function f input Real u; output Real y; algorithm .assert(u > 0, \"low\"); y := .sqrt(u); "
     "end f; equation der(x) = f(x); .assert(x < 9, \"large\"); when .sample(1, 1) then "
     ".reinit(x, .pre(x)/2); end when; when x > 5 then .terminate(\"end\"); end when; end M;",
     ["assert(noEvent(x > 0), \"low\");", "assert(x < 9, \"large\");", "reinit(x, 0.5*pre(x));",
      "terminate(\"end\");"]),
    ("4.4.2.2 flow of a record, input of a record", "record R Real a; Real b; end R; connector C R "
     "e; flow R f; end C; block B input R u; Real y = u.a + u.b; end B; model M C c; B b(u = R(1, "
     "2)); equation c.e.a = 3; c.e.b = 4; end M;", ["c.f.a = 0;", "Real b.u.b = 2;"]),
    ("13.2.1 imports from packages, operators and classes", "package P class K constant Real k = "
     "2; constant Real m = 3; end K; end P; model M import P.K.k; import P.K.*; Real x = k + m; "
     "end M;", ["Real x = 5;"]),
    ("5.4 an outer array with the sizes of the inner one", "model B outer Real p[:]; outer Real "
     "q[2, "
     "3]; Real x = p[2] + q[2, 1]; end B; model M inner Real p[2] = {1, 2}; inner Real q[2, 3] = "
     "{{1, 2, 3}, {4, 5, 6}}; B b; end M;", ["Real b.x = p[2] + q[2,1];"]),
    ("7.3.2 a constraint inside of the first one", "model A Real x = 1; end A; model B extends A; "
     "Real y = 2; end B; model C extends B; Real z = 3; end C; model D replaceable A a "
     "constrainedby "
     "A; end D; model E extends D(redeclare replaceable C a constrainedby B); end E; model M "
     "extends "
     "E(redeclare B a); end M;", ["Real a.x = 1;", "Real a.y = 2;"]),
    ("9.1.3 a whole array of a bus has the size of what is connected", BUS + "model M EC a; EC "
     "b; Src "
     "s; Sink t; equation connect(a.x, t.u); connect(a, b); connect(s.y, b.x); end M;",
     ["a.x[3] = t.u[3];", "a.x[3] = s.y[3];", "a.x[3] = b.x[3];"]),
    ("9.1.3 also where the array is of connectors", BUS.replace("Real x[:]", "O x[:]") + "model "
     "M EC "
     "a; Src s; Sink t; equation connect(s.y, a.x); connect(a.x, t.u); end M;",
     ["s.y[3] = a.x[3];", "s.y[3] = t.u[3];"]),
    ("10.1 sizes by functions of matrices", CC + "Real v[3] = {time, 2, 3}; Real a[:, :] = "
     "symmetric(skew(v)); Real b[:, :] = outerProduct(v, {1, 2}); Real d[:, :] = diagonal(v); "
     "Real e[:] = cross(v, v); Real f[:, :] = matrix(v); Real g[:] = array(v[1], 2); "
     "Real h[:] = linspace(time, 2, 3); end M;",
     ["Real a[3,3] = 0;", "Real b[3,2] = 2*v[3];", "Real d[1,1] = v[1];", "Real f[3,1] = v[3];",
      "Real g[2] = 2;", "Real h[3] = 2;"]),
    ("10.3 values of functions of matrices where sizes need them", CC + "constant Integer v[3] = "
     "{1, 2, 3}; Real a[symmetric([1, 2; 9, 4])[2, 1]]; Real b[skew(v)[1, 3]]; "
     "Real d[cross({1, 0, 0}, {0, 2, 0})[3]]; Real e[outerProduct(v, v)[2, 2]]; "
     "Real f[diagonal({2, 3})[2, 2]]; Real g[matrix(v)[2, 1]]; Real h[array(1, 2)[2]]; Real n = "
     "size(a, 1) + 10*size(b, 1) + 100*size(d, 1) + 1000*size(e, 1) + 10000*size(f, 1) + "
     "100000*size(g, 1) + 1000000*size(h, 1); end M;", ["Real n = 2234222;"]),
    ("12.4.2 a partial function is replaced, and a type of arguments", CC + "replaceable "
     "function h "
     "= g constrainedby F; Real x = app(h, time); Real z = h(3); end M;",
     ["Real x = 2*time;", "Real z = 6;"]),
    ("13.2.1 imports from the model around an encapsulated class", "model M constant Real k = 3; "
     "encapsulated function f import M.k; output Real y; algorithm y := k; end f; Real x = f(); "
     "end M;", ["Real x = 3;"]),
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
    ("5.3.2 a function of an array of components", "model A function f input Real u; output Real "
     "y; "
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
    ("7.3.2 the type does not fit its own constraint", "model A Real x = 1; end A; model B Real "
     "x = "
     "1; Real y = 2; end B;\nmodel M replaceable A a constrainedby B; end M;", "2:23",
     "'a' does not fit its own constraint: there is no 'y'"),
    ("7.3.2 a short class does not fit its own constraint", "model A Real x = 1; end A; model B "
     "Real "
     "x = 1; Real y = 2; end B;\nmodel M replaceable model C = A constrainedby B; C c; end M;",
     "2:27", "'C' does not fit its own constraint: there is no 'y'"),
    ("7.3.2 a constraint outside of the first one", "model A Real x = 1; end A; model B Real x = "
     "1; "
     "Real y = 2; end B; model D replaceable B b constrainedby B; end D;\nmodel M extends "
     "D(redeclare "
     "replaceable B b constrainedby A); end M;", "2:43", "'b' has a constraint outside of what it"),
    ("5.4 an outer scalar of an inner array", "model B outer Real p; Real x = p; end B; model M "
     "inner "
     "Real p[1] = {1}; B b; end M;", "1:20", "the inner 'p' has other dimensions"),
    ("5.4 an outer array of another size", "model B outer Real p[3]; Real x = p[3]; end B; model M "
     "inner Real p[2] = {1, 2}; B b; end M;", "1:20", "the inner 'p' has other dimensions"),
    ("5.4 an outer of an array type", "type T = Real[2]; model B outer Real p; Real x = p; end B; "
     "model M inner T p = {1, 2}; B b; end M;", "1:38", "the inner 'p' has other dimensions"),
    ("12.1 a partial function is called", CC + "Real y = F(2); end M;", "2:23", "'F' is partial"),
    ("9.1.3 an array of a bus has one size", BUS + "model M EC a; Src s; I v[2]; equation "
     "connect(s.y, "
     "a.x);\nconnect(v, a.x); end M;", "3:1", "arrays of 2 and 3 connectors"),
    ("9.4.1 branch in a when-equation", FRAME + "when time > 1 then\nConnections.branch(c.a, d.a); "
     "end when; end M;", "3:1", "Connections.branch in a when-equation"),
    ("9.4.1 root under a condition that varies", FRAME + "if time > 1 "
     "then\n.Connections.root(c.a); "
     "end if; end M;", "3:1", "Connections.root in an if-equation"),
    ("9.4.1 potentialRoot in an algorithm", FRAME + "algorithm\nConnections.potentialRoot(c.a); "
     "end M;", "3:1", "Connections.potentialRoot in an algorithm"),
]
