"""Rules of the Modelica Language Specification 3.6, each with a model that obeys it and what
`show` prints of it, or with one that breaks it and the message (test_modelica_rules.py).

An entry is (section and rule, model, lines that are there); a line with a leading `~` is not
there. The model is M, or the last one.
"""

AB = "model A Real x; end A; "
PIN = "connector Pin Real v; flow Real i; end Pin; model Two Pin p; Pin n; end Two; "

GOOD = [
    # ---- 4.5.1 short classes
    ("4.5.1 a short class is a model", "model A Real x = 1; end A; model M = A;", ["Real x = 1;"]),
    ("4.5.1 a short class with modifiers", "model A parameter Real p = 1; Real x = p; end A; "
     "model M = A(p = 4);", ["parameter Real p = 4;", "Real x = p;"]),
    ("4.5.1 the prefix of a short class is that of its components",
     "model M type In = input Real; In x; Real y = x; end M;", ["Real y = 0;", "~Real x;"]),
    ("4.5.1 connector = flow", "connector F = flow Real; model M F f; end M;", ["f = 0;"]),
    # ---- 7.2.3, 7.2.4: merging, single modification
    ("7.2.3 outer modifiers win", "class C1 parameter Real a; end C1; class C2 parameter Real b; "
     "parameter Real c; end C2; class C3 parameter Real x2 = 2; parameter C1 x3; parameter C2 "
     "x4(b = 4); parameter C1 x5(a = 5); extends C1; extends C2(b = 6, c = 77); end C3; "
     "model M extends C3(x2 = 22, x3(a = 33), x4(c = 44), a = 55, b = 66); end M;",
     ["parameter Real x2 = 22;", "parameter Real x3.a = 33;", "parameter Real x4.b = 4;",
      "parameter Real x4.c = 44;", "parameter Real x5.a = 5;", "parameter Real a = 55;",
      "parameter Real b = 66;", "parameter Real c = 77;"]),
    ("7.2.4 entries of one element are one", AB + "model B A a; Real y; end B; "
     "model M B b(a.x = 1, y = 2, a(x(start = 3))); end M;", ["Real b.a.x(start = 3) = 1;",
                                                            "Real b.y = 2;"]),
    ("7.2.4 attributes one by one", "model C4 Real x; end C4; model M C4 a(final x.unit = \"V\", "
     "x.displayUnit = \"mV\", x = 5.0); end M;",
     ['Real a.x(unit = "V", displayUnit = "mV") = 5;']),
    ("7.2.4 `each` of one entry is not that of the other", AB + "model B A a[2]; Real y; end B; "
     "model M B b[2](a.x = {{1, 2}, {3, 4}}, a(x(each min = 0))); end M;",
     ["Real b[2].a[1].x(min = 0) = 3;"]),
    # ---- 7.2.5 arrays
    ("7.2.5 each and split", "model C parameter Real a[3]; parameter Real d; end C; "
     "model M C c[2](each a = {1, 2, 3}, d = {4, 5}); end M;",
     ["parameter Real c[2].a[3] = 3;", "parameter Real c[2].d = 5;"]),
    ("7.2.5 each of a qualified name", "model C parameter Real a[3]; parameter Real d; end C; "
     "model B C c[2]; end B; model M B b(each c.a = {3, 4, 5}, c.d = {2, 3}); end M;",
     ["parameter Real b.c[2].a[3] = 5;", "parameter Real b.c[1].d = 2;"]),
    ("7.2.5 each inside of each", "model C parameter Real a[3]; parameter Real d; end C; "
     "model B C c[2]; end B; model M B b[2](each c(each a = {1, 2, 3}, d = {4, 5})); end M;",
     ["parameter Real b[2].c[2].a[3] = 3;", "parameter Real b[2].c[2].d = 5;"]),
    ("7.2.5 without the first each", "model C parameter Real a[3]; parameter Real d; end C; "
     "model B C c[2]; end B; model M B b[2](c(each a = {1, 2, 3}, d = fill({4, 5}, 2))); end M;",
     ["parameter Real b[2].c[2].a[3] = 3;", "parameter Real b[1].c[2].d = 5;"]),
    ("7.2.5 each through several arrays", "model A Real x = 1; end A; model B A a[3]; end B; "
     "model M B b[2](each a.x = 2); end M;", ["Real b[2].a[3].x = 2;"]),
    ("7.2.5 attributes of the elements of array types", "model M type T = Real[2](start = {5, 7}); "
     "T x[2]; equation for i in 1:2 loop der(x[i]) = -x[i]; end for; end M;",
     ["Real x[2,1](start = 5);", "Real x[1,2](start = 7);"]),
    # ---- 7.2.7 break
    ("7.2.7 = break removes a value", "model A Real x = 1; Real y = 2; end A; "
     "model M A a(x = break); equation a.x = time; end M;",
     ["Real a.x;", "a.x = time;", "Real a.y = 2;"]),
    ("7.2.7 of an attribute", "model A Real x(start = 3, min = 1); end A; model M A a(x(start = "
     "break)); equation a.x = 1; end M;", ["Real a.x(min = 1);"]),
    ("7.2.7 an outer value wins again", "model A Real x = 1; end A; model B extends A(x = break); "
     "end B; model M B b(x = 7); end M;", ["Real b.x = 7;"]),
    ("7.2.7 with fixed = false", "model A parameter Real d = 1; final parameter Real r = d/2; "
     "end A; model M extends A(final d(fixed = false) = break); initial equation d = 4; end M;",
     ["parameter Real d(fixed = false);", "parameter Real r = 0.5*d;"]),
    # ---- 7.3
    ("7.3.2 modifiers of the original stay", "class A parameter Real x; end A; class B parameter "
     "Real x = 3.14; parameter Real y; end B; class C replaceable A a(x = 1); end C; "
     "model M extends C(redeclare B a(y = 2)); end M;",
     ["parameter Real a.x = 1;", "parameter Real a.y = 2;"]),
    ("7.3.2 modifiers of the constraining type", "model S parameter Integer n = 1; end S; model T "
     "parameter Integer n = 2; parameter Real w = 1; end T; model E replaceable S s constrainedby "
     "S(final n = 5); end E; model M extends E(redeclare T s); end M;",
     ["parameter Integer s.n = 5;"]),
    ("7.3.2 they are those of the declaration, too", "model S parameter Integer n = 1; end S; "
     "model M replaceable S s constrainedby S(n = 5); end M;", ["parameter Integer s.n = 5;"]),
    ("7.3.2 of a class, too", "model S parameter Integer n = 1; end S; model M replaceable model T "
     "= S constrainedby S(n = 5); T t; end M;", ["parameter Integer t.n = 5;"]),
    ("7.3.2 the declaration is stronger", "model S parameter Integer n = 1; end S; "
     "model M replaceable S s(n = 7) constrainedby S(n = 5); end M;",
     ["parameter Integer s.n = 7;"]),
    ("7.3.2 a base type without a clause", "model R parameter Real R = 1; end R; model TR "
     "parameter Real R = 2; parameter Real T0 = 0; end TR; model C replaceable model N = R(R = "
     "100); N n; end C; model M extends C(redeclare replaceable model N = TR(T0 = 300)); end M;",
     ["parameter Real n.R = 100;", "parameter Real n.T0 = 300;"]),
    ("7.3.2 what a redeclaration says ends with it", "model TR parameter Real R = 2; parameter "
     "Real T0 = 0; end TR; model C replaceable model N = TR(R = 100); N n; end C; model C2 "
     "extends C(redeclare replaceable model N = TR(T0 = 300)); end C2; "
     "model M extends C2(redeclare replaceable model N = TR(R = 200)); end M;",
     ["parameter Real n.R = 200;", "parameter Real n.T0 = 0;"]),
    ("7.3.2 also in the class itself", "class C replaceable Real r(max = 2); end C; class C2 "
     "extends C; redeclare replaceable Real r(min = 1); end C2; model M extends C2; redeclare "
     "Real r(start = 1); equation r = 1; end M;", ["Real r(max = 2, start = 1);"]),
    ("7.3.2 the value of an outer redeclaration wins", "model A replaceable Real x; end A; model B "
     "extends A(x = 2); end B; model M B b(redeclare Real x = 3); end M;", ["Real b.x = 3;"]),
    ("7.3.2 an inner modifier is of the constraining type", "model A replaceable Real x; end A; "
     "model B extends A(x = 2); end B; model M B b(redeclare Real x(min = 1)); end M;",
     ["Real b.x(min = 1) = 2;"]),
    ("7.3.2 a new clause is stronger", "model A replaceable Real x constrainedby Real(start = 1); "
     "end A; model M A a(redeclare replaceable Real x(min = 1) constrainedby Real(start = 2)); "
     "equation a.x = 1; end M;", ["Real a.x(min = 1, start = 2);"]),
    ("7.2.3 the value of a record wins over its class", "record R Real v[2]; end R; record S "
     "extends R(v = {1, 2}); end S; function f input R r; output R q = r; algorithm q.v[end] := "
     "0; end f; model M S a; S b = f(a); end M;", ["Real a.v[2] = 2;", "Real b.v[2] = 0;"]),
    # ---- 7.4
    ("7.4 break of a component and its connects", PIN + "model S Two a; Two b; Two c; equation "
     "connect(a.p, b.p); connect(b.n, c.n); end S; model M extends S(break b); end M;",
     ["a.p.i = 0;", "c.n.i = 0;", "~Real b.p.v;"]),
    ("7.4 another component of that name", PIN + "model Three extends Two; Real more = 1; end "
     "Three; model S Two a; Two b; equation connect(a.p, b.p); end S; model M extends S(break b); "
     "Three b; equation connect(a.p, b.n); end M;",
     ["Real b.more = 1;", "a.p.v = b.n.v;", "~a.p.v = b.p.v;"]),
    ("7.4 break connect, either way round", PIN + "model S Two a; Two b; equation connect(a.p, "
     "b.p); connect(a.n, b.n); end S; model M extends S(break connect(b.p, a.p)); end M;",
     ["a.n.v = b.n.v;", "~a.p.v = b.p.v;", "a.p.i = 0;"]),
    ("7.4 break connect in a loop", PIN + "model S Two a[3]; equation for i in 1:2 loop "
     "connect(a[i].p, a[i + 1].n); end for; end S; "
     "model M extends S(break connect(a[i].p, a[i+1].n)); end M;", ["a[1].p.i = 0;"]),
    # ---- names
    ("5.3 a size by an element of the array that is made", "connector C Real p; flow Real f; "
     "stream Real s; end C; model P C c; input Real s; equation c.f = 1; c.s = 2; end P; "
     "model M P m[2](s = {inStream(m[i].c.s) for i in 1:2}); end M;", ["Real m[2].s"]),
]

BAD = [
    ("7.2.4 a value twice, by both ways", "model A Real x; end A; model B A a; end B;\n"
     "model M B b(a.x = 1, a(x = 2)); end M;", "2:24", "'x' is modified twice in this list"),
    ("7.2.4 an attribute twice", "model A Real x; end A;\nmodel M A a(x.start = 2, x(start = 3)); "
     "end M;", "2:28", "'start' is modified twice in this list"),
    ("7.2.5 each with an array", "model M Real x[2](each start = {1, 2}); equation x = {1, 2}; "
     "end M;", "1:24", "each element of 'x' has one 'start', this has size [2]"),
    ("7.2.7 break of something final", "model A Real x = 1; end A; model B extends A(final x = 2); "
     "end B;\nmodel M B b(x = break); end M;", "2:13", "'x' is final"),
    ("7.3.2 a narrower constraint counts", "model R parameter Real a = 1; end R; model T parameter "
     "Real a = 1; parameter Real b = 1; end T; model C replaceable model N = R; N n; end C; model "
     "C4 extends C(redeclare replaceable model N = T constrainedby T); end C4;\n"
     "model M extends C4(redeclare replaceable model N = R); end M;", "2:48",
     "outside its constraint: there is no 'b'"),
    ("7.4 nothing to leave out", "model A Real x = 1; end A;\nmodel M extends A(break y); end M;",
     "2:25", "there is no inherited 'y' to leave out"),
    ("7.4 a class cannot be left out", "model A model B end B; end A;\n"
     "model M extends A(break B); end M;", "2:25", "only components can be left out"),
    ("7.4 a variable cannot be left out", "model A Real x = 1; end A;\n"
     "model M extends A(break x); end M;", "2:25", "neither model, block nor connector"),
    ("7.4 no such connect", PIN + "model S Two a; Two b; equation connect(a.p, b.p); end S;\n"
     "model M extends S(break connect(a.p, b.n)); end M;", "2:25",
     "there is no such connect to leave out"),
    ("7.4 of extends only", "model A end A;\nmodel B A a; end B; model M B b(break a); end M;",
     "2:33", "'break' of an element stands in extends only"),
    ("7.4 what is left out cannot be modified", PIN + "model S Two a; Two b; end S; model T "
     "extends S(break b); end T;\nmodel M T t(b(p(v(start = 1)))); end M;", "2:13",
     "'t' has no element 'b'"),
    ("4.8 attributes have values only", "model M Real x(start(y = 1)) = 2; end M;", "1:16",
     "the attribute 'start' has a value, and nothing to modify"),
    ("5.3 a class that stands for itself", "model M class E type E = Real; end E; class A\n"
     "type E = E.E; E e = 1; end A; A a; end M;", "2:10", "'E' stands for itself"),
    ("12.4 defaults in a circle", "function f input Real x; input Real y = 2*x + z;\n"
     "input Real z = x/y; output Real o = x; algorithm end f; model M Real x = f(4); end M;",
     "2:18", "'y' depends on itself"),
    ("12.4 local variables in a circle", "function f input Real x; output Real y; protected "
     "Real a = b;\nReal b = a; algorithm y := a; end f; model M Real x = f(time); end M;",
     "2:10", "'a' depends on itself"),
]
