"""Rules of the Modelica Language Specification 3.6, each with a model that obeys it and what
`show` prints of it, or with one that breaks it and the message (test_modelica_rules.py).

An entry is (section and rule, model, lines that are there); a line with a leading `~` is not
there. The model is M, or the last one.
"""

AB = "model A Real x; end A; "
PIN = "connector Pin Real v; flow Real i; end Pin; model Two Pin p; Pin n; end Two; "

GOOD = [
    ("7.1 a bound that only the one has that is taken", "model A parameter Integer n(min = 1) = "
     "2; end A; model M extends A; parameter Integer n = 2; Real x = n; end M;",
     ["parameter Integer n(min = 1) = 2;"]),
    ("10.4.3 a range of Booleans has Booleans", "model A parameter Boolean p = false; parameter "
     "Real k = if p then 5 else 7; end A; model M Boolean b[Boolean]; parameter Real q[:] = "
     "{if i then 3 else 4 for i in false:true}; A a[2](p = {i for i in false:true}); Integer n = "
     "sum(1 for i in true:false); equation for i in false:true loop b[i] = i and time > 1; end "
     "for; end M;",
     ["b[1] = time > 1 and false;", "b[2] = time > 1 and true;", "parameter Real q[1] = 4;", "parameter Real q[2] = 3;",
      "parameter Real a[1].k = 7;", "parameter Real a[2].k = 5;", "constant Integer n = 0;"]),
    ("12.4.4 an open size is 0 before the first assignment", "function f input Integer x[:]; "
     "output Integer p[:]; algorithm for i in 1:size(x, 1) loop if x[i] > 0 then p := cat(1, p, "
     "x[i:i]); end if; end for; end f; function g input Integer n; output Real y[:, 2]; algorithm "
     "for i in 1:n loop y := [y; {{i, i^2}}]; end for; end g; model A Integer x[:] = f({-2, 5, 0, "
     "7}); end A; model M A a; Real y[:, :] = g(2); Real z[size(f({-1}), 1) + 1] = {time}; end M;",
     ["constant Integer a.x[1] = 5;", "constant Integer a.x[2] = 7;", "~constant Integer a.x[3]",
      "Real y[2,2] = 4;", "~Real y[3", "Real z[1] = time;"]),
    ("12.4.2.1 more is bound with a function that is an argument", "partial function F input Real "
     "x; output Real y; end F; partial function G extends F; input Real a; end G; partial "
     "function H extends G; input Real b; end H; function u input F f; input Real x; output Real "
     "r; algorithm r := f(x); end u; function v input G f; input Real x; input Real p; output "
     "Real r; algorithm r := u(function f(a = p), x); end v; function w input H f; input Real x; "
     "output Real r; algorithm r := v(function f(b = 30), x, 3) + 1000*f(x, 1, 2); end w; function "
     "l extends H; input Real c; algorithm y := a*x^2 + b*x + c; end l; model M Real r = "
     "w(function l(c = 5), time); end M;", ["Real r = 1003*time^2 + 2030*time + 5005;"]),
    ("12.6 a constant of a record without a value is an argument of its constructor", "record R "
     "Real x; constant Integer n; constant Integer m = 42; end R; model A R r = R(496, 19); end "
     "A; model M A a; R r = R(time, 7); end M;",
     ["Real a.r.x = 496;", "constant Integer a.r.n = 19;", "constant Integer a.r.m = 42;",
      "Real r.x = time;", "constant Integer r.n = 7;"]),
    ("10.5 subscripts of Boolean and enumeration type", "model M type E = enumeration(a, b); "
     "Real x[E] = {1, 2}; Real y[Boolean] = {3, 4}; Real z = x[E.b] + y[true]; end M;",
     ["Real z = x[2] + y[2];"]),
    ("3.8.1 a constant may be the size of a parameter", "model M parameter Real p[3] = {1, 2, 3}; "
     "constant Integer n = size(p, 1); Real x = n; end M;", ["Real x = 3;"]),
    ("14.1 a short class of an operator record", "operator record C Real r; end C; record D = C; "
     "model M D d(r = 2); end M;", ["Real d.r = 2;"]),
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
    # ---- redeclarations in arrays of components, conditional members of connectors
    ("7.2.5 a redeclaration in an array gives each element its value", AB + "model B replaceable "
     "A a; end B; model M B b[2](redeclare A a(x = {1, 2})); end M;",
     ["Real b[1].a.x = 1;", "Real b[2].a.x = 2;"]),
    ("7.2.5 through two arrays, and its binding", "record R Real x = 0; end R; model B replaceable "
     "parameter R r; end B; model C B b[2]; end C; model M parameter R q[2, 2](x = {{1, 2}, {3, 4}}"
     "); C c[2](b(redeclare R r = q)); end M;", ["parameter Real c[2].b[1].r.x = q[2,1].x;"]),
    ("7.2.5 each redeclare is one for all", AB + "model B replaceable A a; end B; "
     "model M B b[2](each redeclare A a(x = 3)); end M;", ["Real b[2].a.x = 3;"]),
    ("7.2.5 each inside of a redeclaration", AB + "model B replaceable A a; end B; "
     "model M B b[2](redeclare A a(each x = 3)); end M;", ["Real b[2].a.x = 3;"]),
    ("7.2.5 a class that is redeclared in an array is one for all", "model A parameter Real p = 1; "
     "end A; model B replaceable model T = A; T t; end B; "
     "model M B b[2](redeclare model T = A(p = 5)); end M;", ["parameter Real b[2].t.p = 5;"]),
    ("4.4.5 what a condition takes away is not connected", "connector P Real e; flow Real f; "
     "end P; connector C P p; P q if false; end C; connector D P p; P q; end D; model A C c; "
     "end A; model B D c; end B; model M A a; B b; equation connect(a.c, b.c); connect(b.c, a.c); "
     "end M;",
     ["a.c.p.e = b.c.p.e;", "b.c.q.f = 0;"]),
    ("7.1 a base class twice, modified alike", "model Base parameter Real p = 1; end Base; "
     "model L extends Base(p = 2); end L; model R extends Base(p = 2); end R; "
     "model M extends L; extends R; end M;", ["parameter Real p = 2;"]),
    ("7.1 what modifiers make equal is equal", "model A Real x = 1; end A; model B Real x = 2; "
     "end B; model M extends A; extends B(x = 1); end M;", ["Real x = 1;"]),
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
    ("5.3 a size by an element of the array that is made", "connector C Real p; flow Real f; "
     "stream Real s; end C; model P C c; input Real s; equation c.f = 1; c.s = 2; end P; "
     "model M P m[2](s = {inStream(m[i].c.s) for i in 1:2}); end M;", ["Real m[2].s"]),
    # ---- names
    ("5.3.2 a class of the model beside one of the text", "package P constant Real k = 1; end P; "
     "model M package P constant Real k = 2; end P; Real x = .P.k; Real y = P.k; Real z = M.P.k; "
     "end M;", ["Real x = 1;", "Real y = 2;", "Real z = 2;"]),
    ("5.3.2 functions, types and records likewise", "function f input Real u; output Real y; "
     "algorithm y := u + 1; end f; type E = enumeration(a, b); record R Real x = 1; end R; model M "
     "function f input Real u; output Real y; algorithm y := 10*u; end f; type E = enumeration(b, "
     "a); record R Real x = 3; end R; Real x = .f(time); Real y = f(time); Integer n = "
     "Integer(E.a); Integer m = Integer(.E.a); R r; .R q; end M;",
     ["Real x = time + 1;", "Real y = 10*time;", "constant Integer n = 2;",
      "constant Integer m = 1;",
      "Real r.x = 3;", "Real q.x = 1;"]),
    ("5.3.1 constants around a class are seen inside",
     "model M constant Real k = 3; model A Real x "
     "= k; end A; A a; end M;", ["Real a.x = 3;"]),
    ("5.3.1 encapsulated with an import", "package P constant Real k = 3; end P; encapsulated "
     "model M import P.k; Real x = k; end M;", ["Real x = 3;"]),
    ("7.2.2 an argument of a function and a parameter of the same name", "function f input Real x; "
     "output Real y; algorithm y := x + 2; end f; partial model B replaceable partial function g = "
     "f; end B; model M extends B(redeclare final function g = f(x = x)); parameter Real x = 5; "
     "Real y = g(); end M;", ["Real y = x + 2;"]),
    # ---- 7.1, 7.3.3
    ("7.1.2 protected extends, used inside", "model A Real x = 1; end A; model M protected extends "
     "A; public Real y = x; end M;", ["Real y = x;"]),
    ("7.3.3 other dimensions of the same type", "model A Real x[:]; end A; model M parameter "
     "Integer n = 2; A a(redeclare Real x[n]); equation a.x = {1, 2}; end M;",
     ["Real a.x[2];", "a.x[2] = 2;"]),
    ("7.3.3 another variability of the same type", "model A Real x; end A; "
     "model M A a(redeclare parameter Real x = 2); end M;", ["parameter Real a.x = 2;"]),
    ("7.1.3 a model extends a record, a connector a type", "record R Real x; end R; type V = "
     "Real(unit = \"V\"); connector C extends R; flow Real f; end C; block B extends R; equation x "
     "= 1; end B; model M extends B; C c; end M;", ["x = 1;", "c.f = 0;"]),
    ("6.4 an open enumeration can be any", "model A replaceable type E = enumeration(:); parameter "
     "E e; end A; model M extends A(redeclare type E = enumeration(p, q), e = E.q); end M;",
     ["parameter Integer e = 2;"]),
    ("4.4.2 the last model that is not partial", "model M Real x = 1; end M; partial model P Real "
     "y; end P;", ["Real x = 1;"]),
    ("4.9.5 StateSelect as a type of subscripts", "model M Real x[StateSelect]; equation for s in "
     "StateSelect loop x[s] = Integer(s); end for; end M;", ["x[5] = 5;"]),
    # ---- 9
    ("9.1 connectors in connectors",
     "connector C Real e; flow Real f; end C; connector D C a; C b; "
     "end D; model T D d; end T; model M T s; T t; equation connect(s.d.a, t.d.b); end M;",
     ["s.d.a.e = t.d.b.e;", "s.d.a.f + t.d.b.f = 0;", "s.d.b.f = 0;"]),
    ("9.2 an array of flow connectors", "connector F = flow Real; model A F f[2]; end A; model M A "
     "a; A b; equation connect(a.f[1], b.f[2]); end M;", ["a.f[1] + b.f[2] = 0;", "a.f[2] = 0;"]),
    ("9.2 connected parameters of one value", "connector C parameter Real p = 1; Real e; flow Real "
     "f; end C; model A C c(p = 2*k); parameter Real k = 3; equation c.e = 2; end A; model B C c(p "
     "= 6); end B; model M A a; B b; equation connect(a.c, b.c); end M;", ["a.c.e = b.c.e;"]),
    ("5.4 an inner class", "model B Real x = 1; end B; model C Real x = 2; end C; model A outer "
     "model K = B; K k; end A; model M inner model K = C; A a; end M;", ["Real a.k.x = 2;"]),
]

BAD = [
    # ---- types, variability, and what the text of a class may say
    ("3.8.1 a constant depends on constants",
     "model M\n  parameter Integer n = 2;\n  constant Integer k = n + 1;\n  Real "
     "x = k*time;\nend M;",
     "3:24", "constant 'k' depends on the parameter 'n'"),
    ("8.6 a constant is fixed",
     "model M\n  constant Real c(fixed = false) = 1;\n  Real x = c;\nend M;",
     "2:19", "constant 'c' has 'fixed = false'"),
    ("3.7.1 the value of a constant is a number",
     "model M\n  constant Real c = log(1 - 3);\n  Real x = c;\nend M;",
     "2:21", "the value of constant 'c' is no real number: an argument is outside the dom"),
    ("10.5 a subscript is an Integer",
     "model M\n  Real x[3] = {1, 2, 3};\n  Real y = x[2.0];\nend M;",
     "3:12", "an Integer is needed here, this is Real"),
    ("10.5 the quotient of Integers is no subscript",
     "model M\n  parameter Integer n = 4;\n  Real x[2] = {1, 2};\n  Real y = "
     "x[n/2];\nend M;",
     "4:12", "an Integer is needed here, this is Real"),
    ("10.1 a size is an Integer",
     "model M\n  Real x[2.0] = {1, 2};\nend M;",
     "2:8", "an Integer is needed here, this is Real"),
    ("10.3.3 a size of zeros is an Integer",
     "model M\n  Real x[2] = zeros(2.0);\nend M;",
     "2:15", "an Integer is needed here, this is Real"),
    ("10.3.4 sum is of an array",
     "model M\n  Real y = time;\n  Real x = sum(y);\nend M;",
     "3:12", "'sum' takes an array, this is a scalar"),
    ("10.4.3 no step in a range of an enumeration",
     "model M\n  type E = enumeration(a, b, c);\n  E x[2] = E.a:E.b:E.c;\nend "
     "M;",
     "3:15", "a range of other values than numbers has no step, and its ends are of one t"),
    ("10.4.3 the ends of a range are of one type",
     "model M\n  type E = enumeration(a, b, c);\n  Integer x[2] = {1, 2};\nequation\n"
     "  for i in 1:E.b loop\n    assert(x[i] > 0, \"a\");\n  end for;\nend M;",
     "5:13", "the ends of this range are of different types"),
    ("8.3.1 a tuple is no value",
     "model M\n  Real x, y;\nequation\n  (x, y) = (1, 2);\nend M;",
     "4:12", "a list in parentheses stands on the left of a call only"),
    ("8.3.1 results are given to variables",
     "function f input Real u; output Real a = u; output Real b = 2*u; algorithm "
     "end f;\nmodel M\n  Real x, y;\nequation\n  (x + 1, y) = f(time);\nend M;",
     "5:6", "results of a call are given to variables, this is none"),
    ("8.3.1 a Real result for an Integer",
     "function f input Real u; output Real a; output Real b; algorithm a := u; "
     "b := 2*u; end f;\nmodel M\n  Real x;\n  Integer k;\nequation\n  (x, k) "
     "= f(time);\nend M;",
     "6:3", "result 2 is Real, its variable is Integer"),
    ("11.2.7.1 no when in while",
     "model M\n  Real x;\nalgorithm\n  while x < 1 loop\n    when time > 1 then\n"
     "      x := 2;\n    end when;\n  end while;\nend M;",
     "5:5", "a when-clause inside a while-loop: events do not wait for a loop"),
    ("5.6.1 a component and a class of one name",
     "model M\n  Real x = 1;\n  class x end x;\nend M;",
     "2:8", "'x' is declared twice in this class: it is a class, too"),
    ("12.9 languages",
     "function f\n  input Real u;\n  output Real y;\n  external \"basic\" y = "
     "g(u);\nend f;\nmodel M Real x = f(time); end M;",
     "4:3", "'basic' is no language of external functions: \"C\", \"FORTRAN 77\" and \"builti"),
    ("12.9.1 the dimension of a size",
     "function f\n  input Real u[:];\n  input Integer n;\n  output Real y;\n "
     " external \"C\" y = g(u, size(u, n));\nend f;\nmodel M Real x = f({time}, "
     "1); end M;",
     "5:25", "the dimension in 'size' is a constant where a function is external"),
    ("12.9.3 no array is returned",
     "function f\n  input Real u;\n  output Real y[2];\n  external \"C\" y = "
     "g(u);\nend f;\nmodel M Real x[2] = f(time); end M;",
     "4:3", "'y' is an array: an external function returns scalars, arrays are arguments"),
    ("12.9.7 an external object has two functions",
     "class O\n  extends ExternalObject;\n  function constructor output O o; "
     "external \"C\" o = a(); end constructor;\nend O;\nmodel M O o = O(); end "
     "M;",
     "1:7", "the external object 'O' needs the functions constructor and destructor"),
    ("12.9.7 and nothing else",
     "class O\n  extends ExternalObject;\n  function constructor output O o; "
     "external \"C\" o = a(); end constructor;\n  function destructor input O "
     "o; external \"C\" b(o); end destructor;\n  function other input Real u; "
     "output Real y; algorithm y := u; end other;\nend O;\nmodel M O o = O(); "
     "end M;",
     "5:12", "'other' is in an external object: that has the functions constructor and de"),
    ("12.9.7 nothing of it is replaceable",
     "class O\n  extends ExternalObject;\n  replaceable function constructor "
     "output O o; external \"C\" o = a(); end constructor;\n  function destructor "
     "input O o; external \"C\" b(o); end destructor;\nend O;\nmodel M O o = "
     "O(); end M;",
     "3:24", "'constructor' is in an external object: that has the functions constructor "),
    ("12.9.7 it has no components",
     "class O\n  extends ExternalObject;\n  function constructor output O o; "
     "external \"C\" o = a(); end constructor;\n  function destructor input O "
     "o; external \"C\" b(o); end destructor;\n  Real x;\nend O;\nmodel M O o "
     "= O(); end M;",
     "5:8", "'x' is in an external object: that has no components"),
    ("14.3 a constructor has one result",
     "operator record C\n  Real r;\n  encapsulated operator function 'constructor'\n"
     "    import C;\n    input Real u;\n    output C c(r = u);\n    output Real "
     "d = u;\n  end 'constructor';\nend C;\nmodel M C c = C(time); end M;",
     "3:34", "the operator 'constructor' has 2 results: it has one"),
    ("14.3 also one of several constructors has one result",
     "operator record C\n  Real r;\n  encapsulated operator 'constructor'\n"
     "    function f import C; input Real u; output C c(r = u); output Real d = u; end f;\n"
     "  end 'constructor';\nend C;\nmodel M C c = C(time); end M;",
     "4:14", "the operator f has 2 results: it has one"),
    ("6.5.1 a model is no number",
     "model B\n  extends Real;\nend B;\nmodel M B b; end M;",
     "2:11", "a model cannot extend a predefined type"),
    ("14.1 no class extends an operator record",
     "operator record C\n  Real r;\nend C;\nrecord D\n  extends C;\nend D;\nmodel "
     "M D d(r = time); end M;",
     "5:11", "the operator record 'C' cannot be extended: its operators are of it alone"),
    ("4.7 nothing of a connector is protected",
     "connector A Real v; flow Real i; end A;\nconnector B\nprotected\n  extends "
     "A;\nend B;\nmodel M B b; end M;",
     "4:11", "'A' is protected here: in connectors, records and types nothing is"),
    ("4.5.1 a type is input or output",
     "type In = input Real;\ntype Out = output In;\nmodel M Out x; equation x "
     "= time; end M;",
     "2:19", "this type is input and output"),
    ("4.4.2.2 a component is input or output",
     "connector In = input Real;\nmodel A output In x; equation x = time; end "
     "A;\nmodel M A a; end M;",
     "2:19", "'x' is declared input, its type is output, or the reverse"),
    ("9.1 a connector is no parameter",
     "connector P Real v; flow Real i; end P;\nmodel A parameter P p; end A;\n"
     "model M A a; end M;",
     "2:21", "'p' is a connector: it is no parameter or constant"),
    ("9.1 a flow is no parameter",
     "connector P\n  Real v;\n  flow parameter Real i = 1;\nend P;\nmodel A P "
     "p; end A;\nmodel M A a; end M;",
     "3:23", "'i' is flow or stream: it is no parameter or constant"),
    ("4.9.5 an enumeration without values",
     "model M\n  type E = enumeration(:);\n  E e;\nend M;",
     "3:5", "'e' is of an enumeration(:), which has no values"),
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
    ("7.2.4 redeclared and modified", "model A replaceable Real x; end A;\n"
     "model M A a(redeclare Real x = 1, x = 2); end M;", "2:35", "'x' is modified twice"),
    ("7.2.6 final without a value", "model A Real x; end A; model B extends A(final x); end B;\n"
     "model M B b(x = 3); end M;", "2:13", "'x' is final"),
    ("7.3.3 final", "model A final replaceable Real x = 1; end A;\n"
     "model M extends A(redeclare Real x = 2); end M;", "2:34", "'x' is final"),
    ("7.3.3 constant", "model A replaceable constant Real x = 1; end A;\n"
     "model M A a(redeclare Real x = 2); end M;", "2:28", "'x' is a constant"),
    ("7.3 redeclared twice", "model A replaceable Real r; end A;\nmodel M extends A(redeclare "
     "replaceable Real r = 1); redeclare replaceable Real r = 2; end M;", "2:46",
     "'r' is redeclared in this class and in its extends"),
    ("7.3 what is not inherited", "model M replaceable Real r;\nredeclare Real r(start = 1); "
     "end M;", "2:16", "'r' is of this class"),
    ("4.4.5 a condition of a redeclaration", "model A replaceable Real x = 1; end A;\n"
     "model M extends A; redeclare Real x if false; end M;", "2:35",
     "the condition is that of the original"),
    ("7.3 a class without redeclare", "model A replaceable model B Real x = 1; end B; B b; end A; "
     "model C Real x = 1; end C;\nmodel M A a(B = C); end M;", "2:13", "'B' is a class"),
    ("7.3.2 literals of an enumeration", "model A replaceable type E = enumeration(a); E e = E.a; "
     "end A;\nmodel M extends A(redeclare type E = enumeration(a, b)); end M;", "2:34",
     "the literals differ"),
    ("7.1.4 through something replaceable",
     "model A replaceable model B model C Real x = 1; end C; "
     "end B; end A;\nmodel M extends A.B.C; end M;", "2:17", "is in something replaceable"),
    ("5.3.1 a base class by an inherited name", "class B class C Integer i; end C; end B; class C "
     "Integer j = 1; end C;\nmodel M extends B; extends C; end M;", "2:28",
     "'C' is inherited, too"),
    ("7.1.2 protected extends, modified outside", "model A Real x = 1; end A; model B protected "
     "extends A; end B;\nmodel M B b(x = 2); end M;", "2:13", "'x' is protected"),
    ("7.1.2 protected extends, used outside", "model A Real x = 1; end A; model B protected "
     "extends A; end B;\nmodel M B b; Real y = b.x; end M;", "2:23", "'x' is protected"),
    ("7.1.3 kinds of base classes", "package P constant Real k = 1; end P;\n"
     "model M extends P; end M;", "2:17", "a model cannot extend the package 'P'"),
    ("7.1 a type has no elements", "model B Real y; end B;\n"
     "connector M extends Real; B b; end M; model T M m; end T;", "2:11", "'M' is a variable"),
    ("4.6 a package has constants only", "package P\nReal x = 1; model A Real y = 1; end A; "
     "end P; model M P.A a; end M;", "2:6", "'x' is no constant: a package has nothing else"),
    ("4.6 equations in a connector", "connector C Real e; flow Real f;\nequation e = 1; end C; "
     "model M C c; end M;", "2:1", "equations in the connector 'C'"),
    ("4.6 an algorithm in a record", "record R Real x;\nalgorithm x := 1; end R; model M R r; "
     "end M;", "2:1", "an algorithm in the record 'R'"),
    ("4.6 protected in a connector", "connector C Real e; flow Real f;\nprotected Real z; end C; "
     "model M C c; end M;", "2:16", "'z' is in a connector: nothing is protected there"),
    ("4.6 flow in a record", "record R\nflow Real x; end R; model M R r; end M;", "2:11",
     "'x' is in a record"),
    ("4.6 external in a model", "model M Real x = 1;\nexternal \"C\"; end M;", "2:1",
     "external in the model 'M': only functions have it"),
    ("4.4.2 a partial model alone", "partial model M Real x; end M;", "1:15", "'M' is partial"),
    ("4.4.2 two prefixes of a group", "model M type In = input Real;\nmodel A output In x; end A; "
     "A a; end M;", "2:19", "'x' has two prefixes"),
    ("4.4.2 flow in flow", "connector C Real e; flow Real f; end C;\nconnector D Real e; flow "
     "C c; end D; model M D d; end M;", "1:31", "'f' has two prefixes"),
    ("4.9.5 a literal twice", "model M type E = enumeration(one, two,\none); E e = E.one; end M;",
     "2:1", "literal 'one' is there already"),
    ("4.9.5 an attribute as literal", "model M type E = enumeration(one,\nstart); E e = E.one; "
     "end M;", "2:1", "'start' is an attribute"),
    ("5.3.1 a variable around a class", "model M Real a = 3; class B\nReal c = a; end B; B b; "
     "end M;", "2:10", "'a' is a variable or parameter around this class"),
    ("5.3.1 encapsulated without an import", "function fn input Real x; output Real y; algorithm y "
     ":= x; end fn;\nencapsulated model M Real r = fn(-5); end M;", "2:31",
     "unknown function 'fn'"),
    ("5.3.2 a class of a component", "model A model B Real x = 1; end B; end A;\n"
     "model M A a; a.B b; end M;", "2:14", "only functions are found there"),
    ("5.2 two classes of one name", "model A Real x = 1; end A;\nmodel A Real y = 1; end A; "
     "model M A a; end M;", "2:7", "'A' is declared twice"),
    ("5.4 an inner that is a class", "model A outer Real x; end A;\n"
     "model M inner model x = A; A a; end M;", "1:20", "the inner 'x' is a class"),
    ("5.4 an outer class, an inner component", "model B Real x = 1; end B; model A outer model N = "
     "B; N n; end A;\nmodel M inner Real N = 1; A a; end M;", "1:48",
     "the inner 'N' is a component"),
    ("5.4 one of the model that is not inner", "model A outer Real g; Real x = g; end A;\n"
     "model M Real g = 1; A a; end M;", "1:20", "that of the model is not inner"),
    ("9.1 not of parts of components", PIN + "model S Two t; end S;\nmodel M S s; Two u; equation "
     "connect(s.t.p, u.n); end M;", "2:38", "'t' is a part"),
    ("9.1 connect in an initial section", PIN + "model M Two a; Two b; initial equation\n"
     "connect(a.p, b.p); end M;", "2:1", "connect in an initial equation section"),
    ("9.1 a parameter and a variable", "connector C parameter Real p = 1; Real e; flow Real f; end "
     "C; connector D Real p; Real e; flow Real f; end D; model A C c; end A; model B D d; end B;\n"
     "model M A a; B b; equation connect(a.c, b.d); end M;", "2:28",
     "is a parameter or constant and"),
    ("9.2 connected parameters of different values", "connector C parameter Real p = 1; Real e; "
     "flow Real f; end C; model A C c; equation c.e = 2; end A; model B C c(p = 3); end B;\n"
     "model M A a; B b; equation connect(a.c, b.c); end M;", "2:28",
     "these parameters have different values"),
    ("12.2 a protected argument", "function f protected\ninput Real x; public output Real y; "
     "algorithm y := x; end f; model M Real z = f(1); end M;", "2:12",
     "'x' is an argument or a result: it cannot be protected"),
    ("12.2 a public local variable", "function f input Real x; output Real y;\nReal z; algorithm "
     "z := x; y := z; end f; model M Real z = f(time); end M;", "2:6", "it has to be protected"),
    ("12.2 two bodies", "function f input Real x; output Real y; algorithm y := x;\nalgorithm y := "
     "2*x; end f; model M Real z = f(time); end M;", "2:1", "'f' has more than one body"),
    ("12.2 an initial algorithm", "function f input Real x; output Real y;\ninitial algorithm y := "
     "x; end f; model M Real z = f(time); end M;", "2:1", "an initial algorithm in a function"),
    ("12.2 time", "function f input Real x; output Real y; algorithm\ny := x*time; end f; model M "
     "Real z = f(1); end M;", "2:8", "'time' in a function"),
    ("11.2.6 return in a model", "model M Real x; algorithm x := 1;\nreturn; end M;", "2:1",
     "'return' stands in functions only"),
    # ---- structure, connections, inheritance
    ("7.2.5 one value for all, in a redeclaration", "model A Real x; end A; model B replaceable A "
     "a; end B;\nmodel M B b[2](redeclare A a(x = 3)); end M;", "2:30", "write each, or an array"),
    ("4.7 a component of a partial class, whatever its kind", "partial connector C Real e; flow "
     "Real f; end C; model A end A;\nmodel M C c; A a; end M;", "2:9", "'C' is partial"),
    ("9.2 causal and not", "connector C input Real x; flow Real f; end C; connector D Real x; flow "
     "Real f; end D; model A C c; end A; model B D d; end B;\nmodel M A a; B b; equation "
     "connect(a.c, b.d); end M;", "2:28", "'a.c.x' is input or output and 'b.d.x' is neither"),
    ("8.3.3 connect under a variable", PIN + "\nmodel M Two a, b; Boolean on = true; equation if "
     "on then connect(a.p, b.p); end if; end M;", "2:58", "connect in an if-equation"),
    ("9.1 a variable as the subscript of a connector", PIN + "\nmodel M Two a[2], b; Integer k = "
     "1; equation connect(a[k].p, b.p); end M;", "2:54", "subscripts of 'a' do not fit"),
    ("5.4 modifiers of an outer class", "model B Real x = 1; end B; model A\nouter model T = B(x "
     "= 2); T t; end A; model M inner model T = B; A a; end M;", "2:13", "'T' is outer"),
    ("5.4 redeclaration of an outer class", "model B Real x = 1; end B; model A outer replaceable "
     "model T = B; T t; end A; model M inner model T = B;\nA a(redeclare model T = B(x = 3)); "
     "end M;", "2:21", "it is redeclared where it is inner"),
    ("4.1 a protected function of a component", "model A protected function f output Real x = 1; "
     "end f; end A;\nmodel M A a; Real x = a.f(); end M;", "2:23", "'f' is protected"),
    ("7.1 a base class twice, modified differently", "model Base parameter Real p = 1; end Base; "
     "model L extends Base(p = 2); end L; model R extends Base; end R;\n"
     "model M extends L; extends R; end M;", "2:28", "'p' is inherited as well"),
    ("7.1 attributes differ", "model A parameter Integer n(min = 1) = 2; end A;\nmodel M extends "
     "A; parameter Integer n(min = 3) = 2; end M;", "2:38", "'n' is inherited as well"),
    ("7.1 a bound that is not taken", "model A parameter Integer n = 2; end A;\nmodel M extends A; "
     "parameter Integer n(min = 3) = 2; end M;", "2:38", "'n' is inherited as well"),
    ("7.1 more than bounds", "model A parameter Real p(min = 1, unit = \"m\") = 2; end A;\nmodel M "
     "extends A; parameter Real p = 2; end M;", "2:35", "'p' is inherited as well"),
    ("7.3.2 arguments of a function that is redeclared", "function f input Real x; output Real y; "
     "algorithm y := x; end f; function g input Real u; output Real y; algorithm y := u; end g; "
     "model A replaceable function h = f; Real z = h(time); Real w = h(2); end A;\n"
     "model M A a(redeclare function h = g), b(redeclare function h = f); end M;", "2:32",
     "there is no 'x' in the new one"),
    ("12.2 time in the value of a result", "function f\noutput Real x = time; end f; model M Real "
     "z = f(); end M;", "2:17", "'time' in a function"),
]
