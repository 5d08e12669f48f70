"""More rules of the Modelica Language Specification 3.6, as in modelica_rules.py: what specialized
classes may contain and extend, what may be named, what a redeclaration keeps."""

OPERATORS = {
    "'+'": "operator function '+' input C a; input C b; output C c; algorithm c := C(a.r + b.r); "
           "end '+'; ",
    "'-'": "operator function '-' input C a; output C c; algorithm c := C(-a.r); end '-'; ",
    "'0'": "operator function '0' output C c; algorithm c := C(0); end '0'; ",
}


def flowing(*operators):
    """A connector whose flow is an operator record with these operators."""
    return ("operator record C Real r; " + "".join(OPERATORS[o] for o in operators) + "end C; "
            "connector P C e; flow C f; end P; model M P p; equation p.e = C(1); end M;")


OUTER = "record R Real x; end R; record S Real x; Real y; end S; "

GOOD = [
    ("11.2.2.1 a loop without a range over a Boolean dimension", "model M type E = enumeration(a, "
     "b); Boolean x[Boolean]; Real z[2, E]; Real s = sum(z[i, e] for i, e); equation for i loop "
     "x[i] = i; end for; for i, e loop z[i, e] = i*Integer(e) + (if e == E.b then 10 else 0); end "
     "for; end M;",
     ["x[1] = false;", "x[2] = true;", "z[1,2] = 12;", "z[2,1] = 2;", "z[2,2] = 14;"]),
    ("4.5.2 icons stand beside a type", "package Icon end Icon; type T extends Icon; extends "
     "Real(unit = \"m\"); end T; model M extends Icon; T x = time; end M;",
     ["Real x(unit = \"m\") = time;"]),
    ("4.6 parameters in a connector of a block", "connector C parameter Integer n = 2; input Real "
     "u[n]; output Real y; end C; block B C c; equation c.y = sum(c.u); end B; model M B b(c(u = "
     "{1, time})); end M;", ["b.c.y = b.c.u[1] + b.c.u[2];"]),
    ("5.3.2 a function of a class of a component", "package P function f input Real x; output "
     "Real "
     "y = 2*x; algorithm end f; end P; model A package Q = P; end A; model M A a; Real x = "
     "a.Q.f(time); end M;", ["Real x = 2*time;"]),
    ("5.4 an outer of a smaller type", OUTER + "model A outer R t; Real z = t.x; end A; model M "
     "inner S t(x = time, y = 2); A a; end M;", ["Real a.z = t.x;"]),
    ("10.4.1 no integers are integers", "package P constant Integer n = 0; end P; model A "
     "parameter "
     "Integer i[:] = {k for k in 1:P.n}; parameter Real z[size(i, 1) + 1] = fill(2, size(i, 1) + "
     "1); "
     "end A; model M A a; end M;", ["parameter Real a.z[1] = 2;"]),
    ("10.5 members of no components have all dimensions", "record R Real u; Real v; end R; "
     "connector C Real e; flow Real f; stream Real h[2]; output Integer k[3]; output R r; end C; "
     "model A parameter Integer n = 0; C c[n]; R s[n]; equation c.h = fill({1, 2}, n); c.k = "
     "fill({1, 2, 3}, n); c.e = fill(time, n); c.r = s; s = fill(R(3, 4), n); end A; model M A "
     "a; A "
     "b(n = 1); end M;", ["b.c[1].k[3] = 3;", "b.c[1].r.v = b.s[1].v;"]),
    ("10.3.1 arrays of components have sizes", "model C Real x; end C; model A C c[3]; C d[2, 4]; "
     "parameter Integer n = size(c, 1); parameter Integer m = size(d, 2) + ndims(d); equation "
     "for i in 1:size(c, 1) loop c[i].x = i; end for; d.x = fill(n, size(d, 1), 4); end A; "
     "model M A a; end M;", ["a.c[3].x = 3;", "parameter Integer a.n = 3;",
                              "parameter Integer a.m = 6;"]),
    ("12.2 a function with an empty section of equations", "function f input Real x; output Real "
     "y; algorithm y := 2*x; equation end f; model A Real y = f(time); end A; model M A a; end M;",
     ["Real a.y = 2*time;"]),
    ("12.6 sizes of a record that a function modifies", "package P record R Real y[:]; Real "
     "z[size(y, 1)]; end R; function f input Real u; output R r(y = {0, 1, 2}, z = zeros(n)); "
     "protected constant Integer n = 3; algorithm for j in 1:n loop r.z[j] := u*j; end for; end "
     "f; "
     "end P; model A parameter P.R r = P.f(2); Real w = P.f(time).z[3]; end A; model M A a; end M;",
     ["parameter Real a.r.y[3] = 2;", "parameter Real a.r.z[3] = 6;", "Real a.w = 3*time;"]),
    ("14.3 a constructor that redeclares the sizes of its record", "encapsulated package L "
     "operator "
     "record S Real A[:, size(A, 1)]; Real B[size(A, 1), :]; encapsulated operator 'constructor' "
     "import L; function f import L.S; input Real A[:, size(A, 1)]; input Real B[size(A, 1), :] = "
     "fill(1.0, size(A, 1), 1); output S s(redeclare Real A[size(A, 1), size(A, 2)], redeclare "
     "Real B[size(B, 1), size(B, 2)]); algorithm s.A := A; s.B := B; end f; function g import "
     "L.S; "
     "input Real k; output S s(redeclare Real A[1, 1], redeclare Real B[1, 1]); algorithm s.A := "
     "[k]; s.B := [1]; end g; end 'constructor'; end S; end L; model N parameter L.S s = L.S(A = "
     "[1, 2; 3, 4]); Real x[size(s.A, 1)]; equation der(x) = s.A*x + s.B*{time}; end N; model M N "
     "n; parameter L.S t = L.S(3); end M;",
     ["parameter Real n.s.A[2,1] = 3;", "parameter Real n.s.B[2,1] = 1;",
      "parameter Real t.A[1,1] = 3;"]),
    ("14.3 a constructor of whole arrays comes before one of elements", "operator record P Real "
     "c[:]; encapsulated operator 'constructor' import P; function f input Real r; output P p(redeclare "
     "Real c[1] = {r}); algorithm end f; function g input Real c[:]; output P p(redeclare Real "
     "c[size(c, 1)] = c); algorithm end g; end 'constructor'; end P; model A parameter P p = "
     "P({1, 2, 3}); parameter P q = P(5.0); Real y = size(p.c, 1) + q.c[1]*time; end A; model M A "
     "a; end M;", ["parameter Real a.p.c[3] = 3;", "Real a.y = a.q.c[1]*time + 3;"]),
    ("9.2 a connector that is a Real in another connector", "connector F = Real; connector P Real "
     "T; F x if true; end P; connector O P p; end O; model A O o; F y; equation connect(o.p.x, "
     "y); "
     "y = 2; o.p.T = 3; end A; model M A a; end M;", ["a.o.p.x = a.y;"]),
    ("7.1 a class that is inherited and declared alike", "model A model B Real x = 1; end B; end "
     "A; model M extends A; model B Real x = 1; /* the same */ end B; B b; end M;",
     ["Real b.x = 1;"]),
    ("7.3.3 protected stays protected", "model A protected replaceable Real x = 2; end A; model M "
     "extends A; protected redeclare Real x = 3; end M;", ["Real x = 3;"]),
    ("9.2 an operator record flows", flowing("'+'", "'-'", "'0'"), ["p.f.r = 0;"]),
]

BAD = [
    ("3.6.7 time in a record", "record R Real x = time; end R; model A R r; end A; model M A a; "
     "end M;", "1:19",
     "'time' in a record: only models and blocks have it"),
    ("3.6.7 time in a connector", "connector C Real x = 2*time; flow Real f; end C; model M C c; "
     "C d; "
     "equation connect(c, d); end M;", "1:24", "'time' in a connector"),
    ("4.5.2 an array and a component", "model A Real x = 1; end A; model B = A[3]; model C "
     "extends "
     "B; Real y = 2; end C; model M C c; end M;", "1:50", "'C' extends an array"),
    ("4.5.2 an array and another base class", "model A Real x = 1; end A; model D Real z = 1; end "
     "D; model B = A[3]; model C extends D; extends B; end C; model M C c; end M;", "1:77",
     "'C' extends an array"),
    ("4.5.2 a class with a prefix and a component", "record A Real x; end A; record B = input A; "
     "record C extends B; Real y = 2; end C; model M C c; end M;", "1:52",
     "'C' extends a class with prefixes"),
    ("4.6 a block has inputs and outputs", "connector C Real e; flow Real f; end C; block B C c; "
     "end B; model M B b; equation b.c.e = 1; end M;", "1:51",
     "'c' is a connector of a block: 'e' in it is neither input nor output"),
    ("4.6 an operator has functions", "operator record C Real r; operator '+' model N end N; "
     "function f input C a; input C b; output C c; algorithm c := C(a.r + b.r); end f; end '+'; "
     "end C; model M C c = C(1) + C(2); end M;", "1:46",
     "'N' is in an operator: there are functions only"),
    ("4.6 extending what encloses an operator record", "package A operator record C Real r; end "
     "C; "
     "end A; package B extends A; constant Real x = 1; end B; model M Real x = B.x; end M;",
     "1:69", "'A' has an operator record in it"),
    ("5.3.1 a component with the name of its type", "type x = Real; model M x x = 1; end M;",
     "1:26", "'x' has the name of its own type"),
    ("5.3.1 a component with the first name of its type", "package P type T = Real; end P; model "
     "M "
     "P.T P = 1; end M;", "1:45", "'P' has the name of its own type"),
    ("5.3.2 a function of a component of a class", "model A package B record R Real x; function f "
     "input Real u; output Real y = u; algorithm end f; end R; constant R c(x = 1); end B; end A; "
     "model M A a; Real x = a.B.c.f(2); end M;", "1:161", "'c' is a component of a class"),
    ("5.3.2 an operator of a component", "operator record C Real r; operator function '+' input C "
     "a; input C b; output C c; algorithm c := C(a.r + b.r); end '+'; end C; model A C c = C(1); "
     "end A; model M A a; C b = a.c.'+'(a.c, a.c); end M;", "1:174", "'+' is an operator"),
    ("5.4 an outer has the members of its own type", OUTER + "model A outer R t; Real z = t.y; "
     "end "
     "A; model M inner S t(x = 1, y = 2); A a; end M;", "1:85",
     "there is no 'y' in 'R', the type of the outer 't'"),
    ("5.4 an inner one with a member of another type", "record R Integer x; end R; record S Real "
     "x;"
     " end S; model A outer R t; end A; model M inner S t(x = 1); A a; end M;", "1:68",
     "the inner 't' does not fit this outer: 'x' has another type"),
    ("5.4 a partial inner record", "partial record R Integer i; end R; model A outer R t; end A; "
     "model M inner R t(i = 1); A a; end M;", "1:76", "'R' is partial"),
    ("6.4 a redeclared member of another type", "model A Integer x = 1; end A; model B Real x = "
     "2.5; end B; model C replaceable A a; end C; model M C c(redeclare B a); end M;", "1:116",
     "'a' is redeclared outside its constraint: 'x' has another type in the new one"),
    ("7.1 a class that is inherited and declared differently", "model A model B Real x = 1; end "
     "B; "
     "end A; model M extends A; model B Real x = 2; end B; B b; end M;", "1:59",
     "'B' is inherited as well, and not the same there"),
    ("7.1.3 a model that extends a type", "type T = Real; model A extends T; end A; model M A a = "
     "1; end M;", "1:32", "a model cannot extend the type 'T'"),
    ("7.1.3 a function that extends a type", "type T = Real; function f extends T; algorithm end "
     "f; model M equation f(); end M;", "1:35", "a function cannot extend the type 'T'"),
    ("7.3.3 a protected component becomes public", "model A protected replaceable Real x = 2; end "
     "A; model B extends A; redeclare Real x = 3; end B; model M B b; end M;", "1:84",
     "'x' is protected where it is inherited from"),
    ("7.3.3 a public class becomes protected", "model A replaceable model N Real x = 2; end N; "
     "end "
     "A; model B extends A; protected redeclare model N Real x = 3; end N; N n; end B; model M B "
     "b;"
     " end M;", "1:100", "'N' is public where it is inherited from"),
    ("9.2 a flow of an operator record without a sum", flowing("'-'", "'0'"), "1:200",
     "'f' is a flow: its operator record has to have '+', '-' and '0'"),
    ("9.2 a flow of an operator record without a negative", flowing("'+'", "'0'"), "1:216",
     "'f' is a flow"),
    ("9.2 a flow of an operator record without a zero", flowing("'+'", "'-'"), "1:230",
     "'f' is a flow"),
    ("9.3 a constant is not connected to a parameter", "connector C constant Real x = 1; Real e; "
     "flow Real f; end C; connector D parameter Real x = 1; Real e; flow Real f; end D; model M C "
     "c; D d; equation connect(c, d); end M;", "1:151", "'c.x' is a constant and 'd.x' is a "
     "parameter"),
    ("15.1 a stream outside of connectors", "model M stream Real x = 1; end M;", "1:21",
     "'x' is a stream: only connectors have streams"),
]

REPLACED = "model N Real x = 1; end N; model O Real x = 2; Real y = 3; end O; model A replaceable N " \
    "n; replaceable model T = N; T t; end A; "

WARNED = [
    ("7.3.3 what was redeclared for good, again", REPLACED + "model B extends A(redeclare N n); end "
     "B;\nmodel M extends B(redeclare O n); end M;", "2:31",
     "'n' was redeclared without replaceable: this redeclares it again"),
    ("7.3.3 a class, too", REPLACED + "model B extends A(redeclare model T = N); end B;\nmodel M "
     "extends B(redeclare model T = O); end M;", "2:35",
     "'T' was redeclared without replaceable: this redeclares it again"),
    ("4.4.5 a conditional variable in an equation", "model M Real x if true; equation x = 2; end "
     "M;", "1:34", "'x' is there under a condition"),
    ("4.4.5 a member of a conditional component", "model A Real y = 1; end A; model M A a if "
     "true; "
     "Real z = a.y; end M;", "1:58", "'a' is there under a condition"),
    ("4.4.5 a conditional variable in a modifier", "model A Real y; end A; model M Real x = 3 if "
     "true; A a(y = x); end M;", "1:60", "'x' is there under a condition"),
    ("9.3.1 a connector without flows", "connector C Real e; end C; model M C c; C d; equation "
     "connect(c, d); c.e = time; end M;", "1:11",
     "the connector 'C' has 0 flow variables and 1 that is neither"),
]
