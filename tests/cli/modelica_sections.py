"""More rules of the Modelica Language Specification 3.6 (test_modelica_rules.py), of what stands
in sections: when-clauses, loops, subscripts, calls. Entries are those of modelica_rules.py."""

TICK = "equation when sample(0, 1) then "
SWITCHED = "model A discrete Real x; Real y[2]; end A; "
COMPLEX = "encapsulated package P operator record C Integer re; encapsulated operator " \
    "'constructor' import P.C; function f input Integer i; output C o(re = i); algorithm end f; "

STREAMS = "record R Real x; Real y[2]; end R; connector C flow Real f; Real e; stream R r; end C; " \
    "model A C c; end A; "

GOOD = [
    ("15.1 streams that are records", STREAMS + "model M A a; A b; Real p = inStream(a.c.r.x); Real "
     "q = inStream(a.c.r.y[2]); Real z = actualStream(b.c.r.y[1]); equation connect(a.c, b.c); "
     "end M;",
     ["Real p = a.c.r.'inStream(x)';", "Real q = a.c.r.'inStream(y)'[2];",
      "Real z = noEvent(if b.c.f > 0 then b.c.r.'inStream(y)'[1] else b.c.r.y[1]);",
      "a.c.r.'inStream(x)' = b.c.r.x;", "b.c.r.'inStream(y)'[2] = a.c.r.y[2];",
      "~Real a.c.'inStream(r)'.x;"]),
    ("15.1 a stream that is a record and not connected", STREAMS + "model M C c; Real x = "
     "inStream(c.r.x); end M;", ["Real x = c.r.'inStream(x)';"]),
    ("4.5.3 a when-clause and a member of a record", "record R discrete Real x; end R; model A R "
     "r; " + TICK + "r.x = time; end when; end A; model M A a; end M;", ["a.r.x = time;"]),
    ("4.5.3 a when-clause and a connector", "connector O = output Real; connector B Real x; end B; "
     "block A O y; " + TICK + "y = time; end when; end A; model M A a; end M;", ["a.y = time;"]),
    ("8.3.3 a range of iterators and sizes", "model A Real i = 1; Real x[3, 3]; equation for i in "
     "1:size(x, 1) loop for j in 1:i loop x[i, j] = i + j; end for; for j in i + 1:3 loop x[i, j] "
     "= 0; end for; end for; end A; model M A a; end M;",
     ["a.x[3,2] = 5;", "a.x[1,2] = 0;"]),
    ("10.5 a number is one of the size, not of Boolean", "model A Real x[Boolean] = {1, 2}; Real "
     "y[2] = {3, 4}; Real z = x[true] + y[1]; end A; model M A a; end M;",
     ["Real a.z = a.x[2] + a.y[1];"]),
    ("5.3.2 a function of a component is called", "model A function f input Real u; output Real y "
     "= 2*u; algorithm end f; end A; model M A a; Real x = a.f(time); end M;",
     ["Real x = 2*time;"]),
    ("7.3.3 redeclared as replaceable, and again", "model N Real x = 1; end N; model O Real x = 2; "
     "end O; model A replaceable N n; end A; model B extends A(redeclare replaceable O n); end B; "
     "model M extends B(redeclare N n(x = 3)); end M;", ["Real n.x = 3;"]),
    ("7.3.3 redeclared again with the same type", "model N Real x = 1; end N; model A replaceable N "
     "n; end A; model B extends A(redeclare N n); end B; model M extends B(redeclare N n(x = 3)); "
     "end M;", ["Real n.x = 3;"]),
    ("7.3.2 a constraint with the dimensions of the type", "type V = Real[3]; model A replaceable V "
     "x[2] = [1, 2, 3; 4, 5, 6] constrainedby V; end A; model M A a; end M;",
     ["Real a.x[2,3] = 6;"]),
    ("14.3 the constructor whose arguments fit better", COMPLEX + "function g input Real i; "
     "output C o(re = 7); algorithm end g; end 'constructor'; end C; end P; model M P.C c = P.C(3);"
     " end M;", ["constant Integer c.re = 3;"]),
]

BAD = [
    ("4.5.3 a when-equation gives a value to a variable of a component", SWITCHED + "model M A a; "
     + TICK + "\na.x = 1; end when; end M;", "2:1",
     "a when-clause gives values to variables of its own class, not to those of the component 'a'"),
    ("4.5.3 nor by a subscript", SWITCHED + "model M A a[2]; " + TICK + "\na[1].y[2] = 1; end "
     "when; end M;", "2:1", "not to those of the component 'a'"),
    ("4.5.3 nor as one of several results", SWITCHED + "function f output Real a = 1; output Real "
     "b = 2; algorithm end f; model M A a; Real z; " + TICK + "(z,\na.x) = f(); end when; end M;",
     "2:1", "not to those of the component 'a'"),
    ("4.5.3 nor does a when-statement", SWITCHED + "model M A a; algorithm when sample(0, 1) then "
     "\na.x := 1; end when; end M;", "2:1", "not to those of the component 'a'"),
    ("8.3.3 a range of variables", "model A Integer x[3]; Integer y[3] = {1, 2, 3}; equation for i "
     "in\ny loop x[i] = y[i]; end for; end A; model M A a; end M;", "2:1",
     "'y' is a variable: the range of a for-equation is known at translation"),
    ("10.5 a number is no Boolean", "model A Real x[Boolean];\nequation x[1] = 0; x[true] = 1; end A; "
     "model M A a; end M;", "2:10", "a number is none of them"),
    ("10.5 a number is no value of an enumeration", "model A type E = enumeration(a, b); Real x[2, "
     "E] = [1, 2; 3, 4];\nReal y = x[1, 1]; end A; model M A a; end M;", "2:10",
     "'x' has an element for each value of its dimension"),
    ("5.3.2 a function is not made of that of a component", "class A function f input Real x; "
     "output Real y = x; algorithm end f; end A; model M A a;\nfunction f = a.f; Real x = f(2); "
     "end M;", "2:14", "'a' is a component: functions of it are called, and no more"),
    ("5.3.2 a constant of a class in a component", "model A package D constant Real y = 3; end D; "
     "Real x = 1; end A; model M A a;\nReal y = a.D.y; end M;", "2:10",
     "'D' is a class in a component"),
    ("5.3.2 an operator's function by a component", "operator record C Real r; encapsulated "
     "operator '+' import C; function add input C a; input C b; output C c; algorithm c := C(a.r + "
     "b.r); end add; end '+'; end C; model M C a(r = 1); C b(r = 2);\nC c = a.'+'.add(a, b); end "
     "M;", "2:7", "'+' is an operator"),
    ("4.5.1 a type of a class", "class C Integer i; end C; type T extends C; end T; model A T t; "
     "equation t.i = 1; end A; model M A a; end M;", "1:42", "a type cannot extend the class 'C'"),
    ("4.5.1 a type of nothing", "type T end T; model A T t; end A; model M A a; end M;", "1:23",
     "'T' is a type of nothing"),
    ("14.3 two constructors fit", COMPLEX + "function g input Integer i; output C o(re = 7); "
     "algorithm end g; end 'constructor'; end C; end P; model M\nP.C c = P.C(3); end M;", "2:9",
     "two constructors fit these arguments: P.C.'constructor'.f and P.C.'constructor'.g"),
    ("7.3.2 a constraint of other dimensions", "type V = Real[3]; type W = Real[2, 3]; model A\n"
     "replaceable V x[2] = [1, 2, 3; 4, 5, 6] constrainedby W; end A; model M A a; end M;", "2:15",
     "'x' does not fit its own constraint: other dimensions"),
    ("7.3.2 a constraint of a type with other dimensions", "type V = Real[3]; type W = Real[2, 3]; "
     "model A\nreplaceable type T = V[2] constrainedby W; T x = [1, 2, 3; 4, 5, 6]; end A; model M "
     "A a; end M;", "2:18", "'T' does not fit its own constraint: other dimensions"),
    ("3.7.4 der of an Integer", "model M constant Integer n = 1;\nReal x = der(n); end M;", "2:10",
     "der() takes Real, not Integer"),
]
