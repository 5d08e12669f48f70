"""What docs/language.md claims, each with the model or the test that shows it (test_language.py)."""

# (the words of the page, the model, what `show` prints; a list of options may follow)
READ = [
    ("(`warning` is the first, `error` the second)", "model A Real x = "
     "10*Integer(AssertionLevel.warning) + Integer(AssertionLevel.error); end A;", "x = 12"),
    ("as OpenModelica prints it", "class A\n  Real x = 1.0;\nend A;\n", "model A"),
    ("(`//! base` header, quoted names)", "//! base 0.1.0\npackage 'P'\n  model 'A'\n"
     "    Real 'x.y';\n  equation\n    'x.y' = 1.0;\n  end 'A';\nend 'P';\n", "'x.y' = 1"),
    ("`within`, any nesting of `package`",
     "within Q; package P model A Real x; equation x = 1; end A; end P;", "x = 1"),
    ("Without `--model NAME` the last model counts", "model A Real x; equation x = 1; end A; "
     "model B Real y; equation y = 2; end B;", "model B"),
    ("`type V = Real(unit = \"V\")`",
     "type V = Real(unit = \"V\"); model A V x; equation x = 1; end A;", "unit = \"V\""),
    ("they are found by their own name or any longer one (`P.f`)", "function f input Real a; "
     "output Real b; algorithm b := a; end f; model A Real x; equation x = 1; end A;", "x = 1"),
    ("(`function Modelica.Math.sin … external`)",
     "model A Real x; equation x = Modelica.Math.sin(time); end A;", "x = sin(time)"),
    ("Line ends LF, CRLF, CR", "model A\r\n  Real x;\r\nequation\r  x = 1;\nend A;\n", "x = 1"),
    ("a byte order mark is skipped", "\ufeffmodel A Real x; equation x = 1; end A;", "x = 1"),
    ("`a.b.c` is a plain name, also `a.b[1].c`", "class A Real a.b.c; Real a.b[1].c; "
     "equation a.b.c = 1; a.b[1].c = 2; end A;", "a.b[1].c = 2"),
    ("so `x` and `'x'` differ",
     "model A Real x; Real 'x'; equation x = 1; 'x' = 2; end A;", "'x' = 2"),
    ("An array `Real x[2]` gives the scalars",
     "model A Real x[2]; equation x = {1, 2}; end A;", "x[2] = 2"),
    ("a matrix `A[1,1]`, `A[1,2]` … row by row",
     "model M Real A[2,2]; equation A = [1, 2; 3, 4]; end M;", "A[1,2] = 2"),
    ("In a `class`, a repeated `Real x[1]; Real x[2];`",
     "class A Real x[1]; Real x[2]; equation x[1] = 1; x[2] = 2; end A;", "x[2] = 2"),
    ("the types of `Modelica.Units.SI` are there with their units also without the library",
     "model A Modelica.Units.SI.Voltage v; equation v = 1; end A;", 'v(unit = "V")'),
    ("`import SI = Modelica.Units.SI;`",
     "model A import SI = Modelica.Units.SI; SI.Mass m; equation m = 1; end A;", 'm(unit = "kg")'),
    ("`extends`, `import`, `connect`, `redeclare`",
     "model B Real x; end B; model A extends B; equation x = 1; end A;", "x = 1"),
    ("A component that is not replaceable can be redeclared with its own type",
     "package P model B Real x; equation x = 1; end B; "
     "model A extends B(redeclare Real x(start = 3)); end A; end P;", "x(start = 3)"),
    ("`x = break` in a list of modifiers removes the value that `x` would have.",
     "package P model B Real x = 1; end B; model A B b(x = break); equation b.x = 2; end A; end P;",
     "b.x = 2"),
    ("`extends A(break b)` leaves out the component `b` and the connects of it",
     "package P model B Real x = 1; end B; model C B a; B b; end C; "
     "model A extends C(break b); Real b = 3; end A; end P;", "Real b = 3"),
    ("(`n = integer(y)`)",
     "model A Real y; Integer n; equation y = time; n = integer(y); end A;", "n = integer(y)"),
    ("(`b = x > 0` gives 1 where x > 0)", "model A Real x; Boolean b; "
     "equation x = time; b = x > 0; end A;", "b = x > 0"),
    ("is `false` or `true`, 0 or 1 in results", "model A Real x; Boolean b; "
     "equation b = time > 1; x = if b then 1 else 2; end A;", "x = if b then 1 else 2"),
    ("(`Integer n = 3`)",
     "model A Integer n = 3; Real x[n]; equation x = {1, 2, 3}; end A;", "x[3] = 3"),
    ("Real and Integer parameters",
     "model A parameter Real p = 2; Real x; equation x = p; end A;", "x = p"),
    ("are evaluated with the given values (`--set` counts)", "model A parameter Integer n = 2; "
     "Real x[n]; equation for i in 1:n loop x[i] = i; end for; end A;", "x[4] = 4",
     "--set", "n=4"),
    ("they may depend on parameters", "model A parameter Real p = 2; "
     "Real x(start = 3*p, fixed = true); equation der(x) = 1; end A;", "start = 3*p"),
    ("`fixed = false` makes it an unknown of the initialization",
     "model A parameter Real p(fixed = false); Real x(start = 1, fixed = true); "
     "initial equation der(x) = 2; equation der(x) = p*x; end A;", "fixed = false"),
    ("`der(u)` is differentiated exactly", "model A input Real u; Real x; "
     "equation x = der(u); end A;", "x = cos(time)", "--input", "u=sin(time)"),
    ("`parameter equation guess(x) = e;`", "//! base 0.1.0\nmodel A Real x; "
     "parameter equation guess(x) = 4; equation x = 1; end A;", "start = 4"),
    ("`x = if c then a else b` where the left sides agree", "model A Real x; equation if time "
     "> 1 then x = 1; else x = 2; end if; end A;", "x = if time > 1 then 1 else 2"),
    ("chooses a branch at once", "model A parameter Boolean b = false; Real x; "
     "equation if b then x = 1; else x = 2; end if; end A;", "x = 2"),
    ("`a * -b` and `2 ^ -1` are understood",
     "model A Real x; Real y; equation x = 2 ^ -1; y = x * -x; end A;", "x = 0.5"),
    ("(`s = \"x is \" + String(x)`)", "model A Real x = time; String s; equation "
     "s = \"x is \" + String(x); assert(x < 9, s); end A;", '"x is " + String(x)'),
    ("`(e).x` and `f(u).x[2]` are members of any value", "record R Real x[2]; end R; function f "
     "input Real u; output R r; algorithm r.x := {u, 2*u}; end f; model A Real y = f(time).x[2]; "
     "Real z[2] = (f(time)).x; end A;", "y = 2*time"),
    ("the variable `Segment s = Segment(…)` has the `b` of that value", "record P Real x; end P; "
     "record S P b(x = 5); end S; model A S s = S(P(time)); end A;", "s.b.x = time"),
    ("numbers stand for all of them (`x[1]`)", "type E = enumeration(a, b); model A Real x[E]; "
     "equation x[1] = 1; x[E.b] = time; end A;", "x[2] = time"),
    ("`E(k)` is the k-th value of `E`", "type E = enumeration(a, b); model A Real x[E]; equation "
     "x[E(2)] = 7; x[E.a] = 1; end A;", "x[2] = 7"),
    ("elements of arrays of records (`a[i].b[j].x := …`)", "record B Real x; end B; "
     "record R B b[2]; end R; model A R a[2]; algorithm for i in 1:2 loop for j in 1:2 loop "
     "a[i].b[j].x := 10*i + j; end for; end for; end A;", "a[2].b[1].x = 21"),
    ("elements that are declared one by one", "class A Real x[1]; Real x[2]; algorithm "
     "for i in 1:2 loop x[i] := i*time; end for; end A;", "x[2] = 2*time"),
    ("of an array of records each member is one", "record R Real x; end R; function f "
     "input R r[2]; input Integer i; output Real y; algorithm y := r[i].x; end f; model A Integer i = "
     "if time > 1 then 2 else 1; Real y = f({R(1), R(2)}, i); end A;", "{1, 2}[i]"),
    ("also in loops and behind them", "function f input Real u; output Real y; protected Real s; "
     "Real k = u; algorithm while k < 1 loop k := k + 1; s := k; end while; y := s; end f; "
     "model A Real y = f(time); end A;", "'s' of 'f' is used without a value"),
    ("`r` may be an array of records", "record R Real x; end R; model A R r[2] = {R(1), R(time)}; "
     "Real y = sum(q.x for q in r); end A;", "y = r[1].x + r[2].x"),
    ("also take truth values and", "model A Boolean b = max(time > 1, time > 2); end A;",
     "time > 1 or time > 2"),
    ("iterations such as `x := (x + a/x)/2`", "function f input Real a; output Real x; algorithm "
     "x := a; for i in 1:30 loop x := (x + a/x)/2; end for; end f; "
     "model A Real y = f(time); end A;", "'f#1'(1, time)"),
    ("(the first iterator runs fastest;", "model A Real x[2,2]; "
     "equation x = {10*i + j for i in 1:2, j in 1:2}; end A;", "x[1,2] = 21"),
    ("an iterator runs from 1 to", "model A Real x[3]; Real y; equation for i loop x[i] = "
     "i*time; end for; y = sum(x[k]^2 for k); end A;", "y = x[1]^2 + x[2]^2 + x[3]^2"),
    ("(`for i, j loop A[i,j] = B[j,i]; end for;`)", "model M Real A[2,3]; Real B[3,2] = "
     "[1, 2; 3, 4; 5, 6]; equation for i, j loop A[i,j] = B[j,i]; end for; end M;",
     "A[2,3] = B[3,2]"),
    ("which adds arrays `e` element by element", "model A Real x[2]; equation "
     "x = sum({i, time} for i in 1:3); end A;", "x[2] = 3*time"),
    ("also of a member of a record) is that of the last assignment",
     "record R Real y[:]; end R; function f input Real u; output R r; algorithm r.y := {u}; "
     "r.y := {u, 2*u, 4*u}; end f; model A Real x = sum(f(time).y); end A;", "x = 7*time"),
    ("Functions that are declared inside of a function see its constants", "function f "
     "input Real u; output Real y; protected constant Real c = 3; function g input Real u; "
     "output Real y; algorithm y := c*u; end g; algorithm y := g(u); end f; "
     "model A Real x = f(time); end A;", "x = 3*time"),
    ("(a warning where nothing is an array)", "model B parameter Real p = 1; Real x = p*time; "
     "end B; model A B b(each p = 2); end A;", "p = 2"),
    ("`sum(e for i in r)`", "model A Real x; equation x = sum(i^2 for i in 1:3); end A;", "x = 14"),
    ("Scalar functions go through arrays element by element",
     "model A Real x[2]; equation x = sin({time, 2*time}); end A;", "x[2] = sin(2*time)"),
    ("`Modelica.Constants.…`", "model A Real x; equation x = Modelica.Constants.pi; end A;", "pi"),
    ("`0.1` is 1/10", "model A Real x; equation x = 0.1 + 0.2; end A;", "x = 0.3"),
    ("relations (not chained), `and or not`", "model A Real x; equation x = if time > 1 and "
     "not time > 2 or time < 0 then 1 else 0; end A;", "and"),
    ("recursion leave one term for",
     "function f input Integer n; output Real y; algorithm y := if n < 2 then 1 else n*f(n - "
     "1); end f; model A Real x; equation x = f(5)*time; end A;", "x = 120*time"),
    ("a result that may jump is wrapped in `noEvent`", "function f input Real u; output Real "
     "y; algorithm if u > 0 then y := u; else y := 2*u; end if; end f; model A Real x; "
     "equation x = f(time); end A;", "x = noEvent(if time > 0 then time else 2*time)"),
    ("unless `GenerateEvents = true`", "function f input Real u; output Real y; "
     "algorithm y := if u > 0 then u else 0; annotation(GenerateEvents = true); end f; "
     "model A Real x; equation x = f(time); end A;", "x = if time > 0 then time else 0"),
    ("several outputs are taken by `(a, , b) = f(x)`", "function f input Real u; "
     "output Real a = u; output Real b = 2*u; output Real c = 3*u; algorithm end f; "
     "model A Real x; Real y; equation (x, , y) = f(time); end A;", "y = 3*time"),
    ("`function f(a = 1)` binds some of their arguments", "partial function g input Real u; "
     "output Real y; end g; function f input Real a; input Real u; output Real y; algorithm y "
     ":= a*u; end f; function h input g p; input Real u; output Real y; algorithm y := p(u); "
     "end h; model A Real x; equation x = h(function f(a = 3), time); end A;", "x = 3*time"),
    ("`function g = f(a = 1)` is read",
     "function f input Real u; input Real a = 1; output Real y; algorithm y := a*u; end f; "
     "function g = f(a = 4); model A Real x; equation x = g(time); end A;", "x = 4*time"),
    ("(it may be copied, handed on to a function, or asked for its size)",
     "function g input Real a[:]; output Real y; algorithm y := size(a, 1)*a[2]; end g; "
     "function f input Real u; output Real y; protected Real v[3], w[3]; algorithm v[2] := u; "
     "w := v; y := g(w); end f; model A Real x; equation x = f(time); end A;", "x = 3*time"),
    ("A subscript that varies with time is a selection", "model A Real v[2] = {time, 1}; "
     "Integer i = if time > 1 then 2 else 1; Real x; equation x = v[i]; end A;",
     "x = {v[1], v[2]}[i]"),
    ("A variable of a record type is its members", "record R Real x; Real y[2]; end R; "
     "model A R r(x = time); equation r.y = {1, r.x}; end A;", "r.y[2] = r.x"),
    ("Constructors `R(1, y = 2)`",
     "record R Real x; Real y; end R; model A R r = R(1, y = time); end A;", "Real r.y = time"),
    ("`Real x[E]`, `x[E.a]`, `for e in E loop`",
     "type E = enumeration(a, b); model A Real x[E]; Real y; equation for e in E loop x[e] = "
     "Integer(e)*time; end for; y = x[E.b]; end A;", "y = x[2]"),
    ("Each variable that a section assigns gets an equation", "model A Real x; Real y; "
     "algorithm x := time; y := x + 1; x := 2*x; end A;", "x = 2*time;"),
    ("has its start value there", "model A Real x(start = 3); "
     "algorithm if time > 1 then x := time; end if; end A;", "else 3"),
    ("In a loop, `a.b[i].c` is built from `i`", "class A Real a.b[1].c; Real a.b[2].c; equation "
     "for i in 1:2 loop a.b[i].c = i; end for; end A;", "a.b[2].c = 2"),
    ("`(a, _) = f(x)` leaves one out", "function f input Real u; output Real a = u; output Real b "
     "= 2*u; algorithm end f; model A Real x; equation (x, _) = f(time); end A;", "x = time"),
    ("are substituted where they are used", "model A parameter Boolean b = true; constant Real k = "
     "3; Real x; equation x = if b then k*time else 0; end A;", "x = 3*time"),
    ("Branches with different numbers of equations are allowed if parameters decide",
     "model A parameter Boolean b = true; Real x; equation if b then x = 1; end if; end A;",
     "x = 1"),
    ("inside an if-equation it is guarded by the condition", "model A Real x = time; equation "
     "if x > 2 then assert(x < 3, \"m\"); end if; end A;", "assert("),
    ("both branches are executed; a loop is unrolled", "function f input Real u; output Real y; "
     "algorithm y := u; for i in 1:3 loop y := y*(u + i); end for; end f; "
     "model A Real x = f(time); end A;", "time*(time + 1)*(time + 2)*(time + 3)"),
    ("Functions may be arguments themselves", "partial function g input Real u; output Real y; "
     "end g; function s extends g; algorithm y := u^2; end s; function h input g p; input Real u; "
     "output Real y; algorithm y := p(p(u)); end h; model A Real x = h(s, time); end A;",
     "x = time^4"),
    ("A scalar function is applied to arrays element by element", "function f input Real u; "
     "output Real y; algorithm y := u^2; end f; model A Real x[2] = f({time, 3}); end A;",
     "x[2] = 9"),
    ("`Integer(e)` is its number", "type E = enumeration(a, b); model A parameter E e = E.b; "
     "Real x = Integer(e)*time; end A;", "x = 2*time"),
    ("The derivative of `smooth(p, e)` is `smooth(p - 1, …)`", "model A Real x = time, y; "
     "equation y = der(smooth(2, if x > 0 then x^3 else 0)); end A;",
     "y = smooth(1, if x > 0 then 3*x^2*der(x) else 0)"),
    ("`der` of any expression",
     "model A Real x(start = 1, fixed = true); equation der(x^2) = 1; end A;", "2*x*der(x)"),
]
READ += [("`a.x[end]` and `(e)[end]` of what it is a subscript of", *claim) for claim in [
    ("record R Real x[3]; end R; model A R a[2](x = {{1, 2, 3}, {4, 5, 6}}*time); Real y[2]; Real z "
     "= a[end].x[end - 1]; equation for i in 1:2 loop y[i] = a[i].x[end]; end for; end A;",
     "Real z = a[2].x[2]"),
    ("record R Real x[3]; end R; model A R a[2](x = {{1, 2, 3}, {4, 5, 6}}*time); Real y[2]; "
     "equation for i in 1:2 loop y[i] = a[i].x[end]; end for; end A;", "y[2] = a[2].x[3]"),
    ("record B Real x[3] = {1, 2, time}; end B; record R B b[4]; end R; model A R a[2]; Real y[2] = "
     "a.b[2].x[end]; Real z[2,2] = a[:].b[{1, end}].x[end]; end A;", "z[2,2] = a[2].b[4].x[3]"),
    ("record B Real x[3] = {1, 2, time}; end B; record R B b[4]; end R; model A R a[2]; Real y[2] = "
     "a.b[2].x[end]; end A;", "y[2] = a[2].b[2].x[3]"),
    ("model B parameter Real p[3] = {1, 2, 3}; end B; model A B a[2]; Real y[2] = a.p[end]; end A;",
     "y[2] = a[2].p[3]"),
    ("model B Real x[3] = {1, 2, time}; Integer n[2] = {3, 2}; end B; model A B a[2]; Integer k = if "
     "time > 1 then 2 else 1; Real y = a[2].x[a[k].n[end]]; end A;",
     "y = {a[2].x[1], a[2].x[2], a[2].x[3]}[{2, 2}[k]]"),
    ("function f input Real u; output Real y[3]; algorithm y := {u, 2*u, 4*u}; end f; model A Real "
     "y = (f(time))[end]; Real z[2] = ({1, 2, time})[end - 1:end]; end A;", "y = 4*time"),
]]
READ += [
    ("have values as `r[1].v := …` or with their whole record", "class A Real r[1].v; Real r[2].v; "
     "algorithm r[1].v := time; r[2].v := 3.0*r[1].v; end A;", "r[2].v = 3*time"),
]
REFUSED = [
    ("symmetric cross skew outerProduct linspace", "model A Real x[2,2] = zeros(2, 2); Integer n = "
     "size(x, 1, 2); end A;", "'size' takes an array and a dimension"),
    ("symmetric cross skew outerProduct linspace", "model A Real x[2,2] = zeros(2, 2); Integer n = "
     "size(x, 1, 0, 2); end A;", "'size' does not take this argument"),
    ("`a.b[i].x[end]`, it is refused", "record B Real x[3]; end B; record R B b[4]; end R; model A R "
     "a[2]; Real y[2] = a.b[1:2].x[end]; end A;", "'end' behind arrays or vectors of subscripts"),
    ("over other enumerations say `e in E`", "package P type E = enumeration(a, b); end P; "
     "model A Real x[P.E]; equation for e loop x[e] = if e == P.E.a then 1 else 2; end for; end A;",
     "does not take Integer and enumeration"),
    ("`delay(e, T, Tmax)` with a delay time that changes",
     "model A Real x; equation x = delay(time, time); end A;", "a delay time that changes"),
    ("Otherwise the branches must have equally", "model A Real x; Real y; "
     "equation if time > 1 then x = 1; y = 1; else x = 2; end if; y = 3; end A;", "error"),
    ("missing elements of an array where something is computed from it",
     "function f input Real u; output Real y; protected Real v[3]; algorithm v[2] := u; "
     "y := sum(v); end f; model A Real x; equation x = f(time); end A;", "'v[1]' has no value yet"),
    ("An output without a value is an error", "function f input Real u; output Real y; algorithm "
     "end f; model A Real x = f(time); end A;", "gives its result 'y' no value"),
    ("State machines (chapter 17) are refused", "block S end S; model A S s; Real x = time; "
     "equation initialState(s); end A;", "error"),
    ("(`product`, `min` and `max` take scalars)",
     "model A Real x = product({i, time} for i in 1:3); end A;", "it takes scalars"),
    ("One that cannot hold is an error",
     "model A Real x; equation x = 1; assert(1 > 2, \"never\"); end A;", "never"),
    ("that it alone is a subscript of",
     "model A Real x[3]; equation for i loop x[4 - i] = i; end for; end A;",
     "'i' is no subscript in this loop: its range has to be given"),
    ("relations (not chained)",
     "model A Real x; equation x = if 1 < time < 2 then 1 else 0; end A;", "error"),
    ("in equations under a condition known only at run time that is refused",
     "model A String s; Real x; equation x = 1; if x > 0 then s = \"\"; end if; end A;",
     "error"),
    ("a variable or parameter in its statements is an error",
     "model A Real x = time; Real y = f(x); function f input Real u; output Real y; algorithm "
     "y := u + x; end f; end A;", "'x' is a variable of the model"),
    ("`derivative = f` of an unknown function is one, too",
     "function f input Real u; output Real y; algorithm y := u; annotation(derivative = g); end f; "
     "model A Real x = f(time); end A;", "unknown function 'g' as the derivative of 'f'"),
]
REFUSED += [
    ("`r[i].v := …` is refused", "class A Real r[1].v; Real r[2].v; algorithm for i in 1:2 loop "
     "r[i].v := i; end for; end A;", "'r' cannot be assigned here"),
    ("a modifier of something final, protected or nonexistent",
     "model B final parameter Real p = 1; Real x = p; end B; model M B b(p = 2); end M;",
     "'p' is final and cannot be modified"),
    ("a modifier of something final, protected or nonexistent",
     "model B protected parameter Real p = 1; public Real x = p; end B; model M B b(p = 2); "
     "end M;",
     "'p' is protected: it cannot be modified from outside"),
    ("a modifier of something final, protected or nonexistent",
     "model B Real x = 1; end B; model M B b(z = 2); end M;",
     "'b' has no element 'z'"),
    ("a redeclaration of what is not replaceable",
     "model B Real x = 1; end B; model D extends B; end D; model S B b; end S; model M S "
     "s(redeclare D b); end M;",
     "'b' is not replaceable: it cannot be redeclared"),
    ("whose `inner` does not fit, also in its dimensions",
     "model B outer Real g; Real x = g; end B; model M inner Integer g = 1; B b; end M;",
     "the inner 'g' has another type than this outer"),
    ("whose `inner` does not fit, also in its dimensions",
     "model B outer Real g[2]; Real x = g[1]; end B; model M inner Real g[3] = {1,2,3}; B "
     "b; end M;",
     "the inner 'g' has other dimensions than this outer"),
    ("`Connections.branch` and the like in an algorithm",
     "connector C Real v; flow Real i; end C;\nmodel M C a, b; algorithm "
     "Connections.branch(a, b); end M;",
     "Connections.branch in an algorithm"),
    ("`P.A.x` where `x` is not a constant",
     "package P model A Real x = 1; end A; end P; model M Real y = P.A.x; end M;",
     "'x' is no constant: it is there in components of this class only"),
    ("what a class of its kind cannot have (equations in a connector or record",
     "record R Real v; equation v = 1; end R; model M R c; end M;",
     "equations in the record 'R'"),
    ("or cannot extend; a class that is found",
     "model B Real x = 1; end B; record R extends B; end R; model M R r; end M;",
     "a record cannot extend the model 'B'"),
    ("a class that is found through a component",
     "model B model Z Real q = 1; end Z; Real x = 1; end B; model M B b; b.Z z; end M;",
     "'b.Z' is a class of a component: only functions are found there"),
    ("a partial class on its own or as the type of a component",
     "partial model M Real x = 1; end M;",
     "'M' is partial: it is a part of models, and none itself"),
    ("a partial class on its own or as the type of a component",
     "partial model B Real x = 1; end B; model M B b; end M;",
     "'B' is partial: a component needs a complete class"),
    ("a protected function of a component",
     "model B protected function f input Real u; output Real y = u; algorithm end f; public "
     "Real x = 1; end B; model M B b; Real y = b.f(time); end M;",
     "'f' is protected: it is visible only inside its class"),
    ("a protected class or constant by its full name from outside of its class",
     "package P protected constant Real c = 1; public constant Real d = c; end P; model M "
     "Real x = P.c; end M;",
     "'c' is protected: it is visible only inside its class"),
    ("an import of something protected or from anything but a package",
     "package P protected constant Real c = 1; end P; model M import P.c; Real x = c; end M;",
     "'c' is protected: it is visible only inside its class"),
    ("an import of something protected or from anything but a package",
     "model B constant Real c = 1; Real x = 1; end B; model M import B.c; Real x = c; end M;",
     "'B' is no package: nothing is imported from it"),
    ("a component or class called `Real`",
     "model M Real Real = 1; end M;",
     "'Real' is a predefined type: nothing else has its name"),
    ("parameter, constant or discrete before a model or block",
     "model B Real x = 1; end B; model M parameter B b; end M;",
     "'b' is of a model: what has a prefix like this is a value, a record or a connector"),
    ("input, output, flow, stream, parameter, constant or discrete before a model or block",
     "block B Real x = 1; end B; model M input B b; end M;",
     "'b' is of a model: what has a prefix like this is a value, a record or a connector"),
    ("a type that is input and output",
     "type T = input Real; model M output T x; end M;",
     "'x' has two prefixes where one can be: input or output, flow or stream"),
    ("a public variable of a function that is neither input nor output",
     "function f input Real u; output Real y; Real z; algorithm z := u; y := z; end f; "
     "model M Real x = f(time); end M;",
     "'z' is neither input nor output: it has to be protected"),
    ("`time` in records and connectors",
     "connector C Real v = time; flow Real i; end C; model M C c; end M;",
     "'time' in a connector: only models and blocks have it"),
    ("(`function f = a.f`, `a.B.c`)",
     "model A package B constant Real c = 1; end B; Real x = 1; end A; model M A a; Real y "
     "= a.B.c; end M;",
     "'B' is a class in a component: only components are found there"),
    ("What is connected must have the same members and types",
     "connector C Real v; flow Real i; end C; connector D Real w; flow Real i; end D; model "
     "M C c; D d; equation connect(c, d); end M;",
     "'c' and 'd' do not fit (C and D): only 'c' has 'v'"),
    ("inside of components of components (`a.b.p`) are connected by the class of `a` only",
     "connector C Real v; flow Real i; end C; model R C p; equation p.v = 1; end R; model S "
     "R b; end S; model M S a; R q; equation connect(a.b.p, q.p); end M;",
     "connect takes connectors of this class and of its components, not of parts of these: "
     "'b' is a part"),
]


# (the words of the page, the test that holds them to it)
ELSEWHERE = [
    ("binds the inputs of `f`, in their order, that `g` has not",
     "printed_flat.functions_that_are_arguments_have_a_signature"),
    ("A parameter without a value that has a guess", "base_modelica.values"),
    ("`realParameterEqual(p, q)` compares", "base_modelica.values"),
    ("`@17` says where something comes from and is skipped", "base_modelica.values"),
    ("are those of `when Clock(c, \"ImplicitEuler\") then`", "base_modelica.values"),
    ("An algorithm section there is on the clock of its variables", "base_modelica.values"),
    ("Another version than the one that is asked for (and no `conversion(noneFromVersion = …)` for it) is a warning.",
     "libraries.another_version_than_the_one_that_is_used_is_told"),
    ("A file of a package holds the class of its name (an error); one that says that it is `within` another package is a warning.",
     "libraries.a_file_says_which_package_it_is_in"),
    ("Its text may also be one of several results", "texts.texts_that_only_the_sections_tell"),
    ("Matrices without elements give empty results.", "matrices.matrices_without_elements"),
    ("A range of a subscript that varies, `y[1:m] := x[m:end]`",
     "function_ranges.slices_are_those_of_the_moment"),
    ("A range that ends before it begins is empty; one that is not within the array ends the run.",
     "function_ranges.what_is_outside_ends_the_run"),
    ("In a `class` the results of a call may be a list",
     "printed_flat.lists_of_results_that_were_computed"),
    ("A local variable of known size whose declaration computes with one has no value either",
     "functions.a_binding_that_needs_what_has_no_value_gives_none"),
    ("A range of Real numbers may begin at a variable",
     "function_parts.a_range_of_real_numbers_may_begin_anywhere"),
    ("Sizes that fit only for some of these values",
     "function_ranges.sizes_fit_or_not_at_run_time"),
    ("Other sizes that vary (`Real z[m]`, `fill(0, m)`) need bounds",
     "function_ranges.sizes_of_local_arrays_need_bounds"),
    ("`sum(e for i in a:b)`, `product`, `min` and `max` over a range with other ends become a loop",
     "function_ranges.reductions_over_ranges_without_bounds"),
    ("A connector with more or fewer flows than other variables is a warning",
     "modelica_rules.what_other_tools_take_is_a_warning"),
    ("Exported C refuses it.", "transport.exported_c_refuses_it"),
    ("Where a stream of known size (time and parameters) is split into fixed shares",
     "fluid.a_stream_that_stands_still_is_split"),
    ("(`Real y[:] = 2*f(x)`) is that of its value",
     "function_forms.sizes_of_variables_by_their_values"),
    ("`.P.f`, a name from the top, is `P.f`", "record_arrays.names_from_the_top"),
    ("`m[2].port.v`, `m[i].port.v` and `m[:].port.v` are elements of `m.port.v`",
     "printed_flat.arrays_of_components_that_are_not_taken_apart"),
    ("if there are fewer subscripts than dimensions they have to be those of the first part",
     "printed_flat.subscripts_of_such_names_that_could_mean_two_dimensions_are_refused"),
    ("`f(x)[2]`, directly behind the call, is the second of several results",
     "printed_flat.results_by_their_numbers"),
    ("of several the one that has all literals of `P.E` in the text",
     "printed_flat.literals_that_several_enumerations_have"),
    ("`r := R(…)` assigns these",
     "printed_flat.statements_on_records_that_are_declared_by_their_members"),
    ("has to be the same in all elements of an array of records",
     "record_arrays.sizes_that_members_give"),
    ("A modifier of a member that the record does not have is an error",
     "function_mistakes.modifiers_of_members_that_a_record_does_not_have"),
    ("Over an empty `r` they have the type and the dimensions that `e` would have",
     "natives.comprehensions_over_nothing_have_the_type_and_size_of_their_elements"),
    ("with the slopes at its ends that the table has by itself",
     "tables.every_kind_of_interpolation_and_extrapolation"),
    ("Abscissae ascend strictly, except those of linear and constant tables of time",
     "tables.tables_that_cannot_be_read_or_used"),
    ("A table of time has exact time events at its start time", "time_tables.both_sides_of_every_event"),
    ("A file or a matrix that is not there, data that do not ascend",
     "tables.tables_that_cannot_be_read_or_used"),
    ("C of the user is not linked, so that is an error", "tables.tables_that_cannot_be_read_or_used"),
    ("also those that are asked for (`getDerValue`, `getDer2Value`)",
     "tables.the_derivatives_of_the_library"),
    ("with `init3`, comma-separated values (`.csv`)",
     "tables.functions_of_older_and_newer_libraries"),
    ("An `outer` class (function, model, package) is the `inner` one of that name",
     "components.outer_classes_are_the_inner_ones_around_them"),
    ("`atan2(0, 0)` is 0", "starts.the_angle_of_nothing_is_zero"),
    ("also in every branch of an if, in `for i in 1:n loop s[i] = …`, element by element, or in an "
     "algorithm with a text before the if that changes it",
     "function_forms.texts_in_branches_and_loops_of_a_model"),
    ("is another one in each element (`Real v[2] = {a, b}`), one that is not is that of every "
     "element", "record_arrays.a_value_of_other_members_is_another_one_in_each_element"),
    ("`l.g[2]` and `l[:].g[2]` are the second `g` of every element of `l`",
     "record_arrays.subscripts_of_a_member_leave_the_dimensions_of_the_array_before_it"),
    ("the branch that a known condition leaves out is not evaluated, but `if true then 1 else "
     "\"a\"` is an error", "function_mistakes.the_branch_that_is_left_out_has_a_type"),
    ("also with values of enumerations and truth values",
     "function_forms.elements_named_by_enumerations_and_truth_values"),
    ("In Base Modelica `'a.x'` is the", "function_forms.quoted_elements_are_an_array"),
    ("A text that a condition chooses at run time",
     "function_forms.texts_that_conditions_choose"),
    ("One that nothing defines is its start value",
     "function_forms.string_variables_that_statements_define_or_nothing"),
    ("A failed assertion ends the run at its time", "routines.assertions_in_loops_are_watched"),
    ("Those of initial sections and of `when initial()`",
     "events_language.assertions_of_the_initialization"),
    ("`terminate` stands in when-clauses, or anywhere else",
     "events_language.terminate_outside_of_when_clauses"),
    ("is the partial derivative of the only result",
     "function_forms.functions_that_are_partial_derivatives"),
    ("that only some paths give a value is asserted to have one",
     "function_forms.a_missing_value_on_a_path_ends_the_run_that_comes_to_it"),
    ("who needs such a member tells", "function_parts.who_needs_a_member_without_value_tells"),
    ("its relations make no events", "functions.assertions_of_functions_make_no_events"),
    ("`s := 7.1 - p/16530000`", "functions.what_a_function_scales_stays_scaled"),
    ("is known only at run time is not unrolled",
     "routines.a_while_loop_at_run_time_and_its_derivative"),
    ("with `--native` all of them are compiled", "routines.native_code_gives_the_same_values"),
    ("exported C has all of them as C functions",
     "routines.exported_code_runs_loops_and_recursion"),
    ("Calls with equal arguments are equal, whatever the routine does",
     "routines.equal_arguments_are_equal_values_for_every_function"),
    ("proved by executing the routine in ball arithmetic",
     "routines.a_function_that_may_be_zero_is_evaluated_in_balls"),
    ("name the functions that are assumed to have a value",
     "routines.verdicts_name_the_functions_they_assume_something_of"),
    ("with n results is read back as the routine that it was",
     "routines.show_prints_the_functions_so_that_its_text_runs"),
    ("Called with known arguments it is evaluated at translation",
     "routines.a_loop_with_known_arguments_is_evaluated"),
    ("one with `Inline = false`", "opaque.inline_false_keeps_the_call"),
    ("whose call makes more than 2000", "opaque.a_large_function_is_called_not_written_out"),
    ("have made more than 50 000 in total",
     "opaque.a_function_that_is_called_often_is_not_written_out"),
    ("is run only there.", "opaque.a_large_function_in_a_branch_is_run_only_there"),
    ("is how it is differentiated;", "opaque.the_derivative_is_that_of_the_annotation"),
    ("`derivative(order = n) = f_n`", "opaque.a_third_derivative_is_that_of_the_annotation"),
    ("the body is differentiated instead, unless there is none",
     "opaque.an_argument_without_derivative_still_has_partial_derivatives"),
    ("and the annotation is not used.", "opaque.small_functions_are_differentiated_as_they_are"),
    ("the equation is read as `x = g(e, p)`",
     "inverse.a_function_without_body_is_solved_by_its_inverse"),
    ("an initial equation for `x` or for a free parameter",
     "inverse.loops_start_values_and_free_parameters"),
    ("and where `y = f(x)` gives `y`, the function stays",
     "inverse.only_where_the_structure_needs_it"),
    ("so that a wrong inverse ends a run", "inverse.a_wrong_inverse_ends_the_run"),
    ("compares `derivative`, `inverse` and `smoothOrder`",
     "annotations.a_wrong_derivative_has_a_counterexample"),
    ("`analyze` and `check-init` name it as an assumption (`assumed_smooth` in JSON)",
     "annotations.functions_with_branches_are_assumed_to_be_smooth_enough"),
    ("Integer arguments are 1, 2, 3 and 0 in turn", "annotations.arguments_that_are_no_reals"),
    ("and records have such members", "annotations.records_are_checked"),
    ("Branches are entered on both sides", "annotations.branches_far_away"),
    ("is enclosed in a ball", "annotations.changes_that_are_no_rational_numbers"),
    ("says nothing about `p`", "annotations.normally_constant_arguments"),
    ("and where the assertions of the functions hold",
     "annotations.only_where_the_function_is_defined"),
    ("since literals in model texts are rounded", "annotations.rounded_numbers_are_no_mistake"),
    ("are rounded to double precision",
     "opaque.digits_of_numbers_that_are_iterated_exactly_do_not_double"),
    ("At most 200 nested calls", "function_mistakes.bodies"),
    ("with a hidden state of 33 discrete variables", "random.a_generator_with_a_hidden_state"),
    ("several places draw one after the other",
     "random.several_places_draw_one_after_the_other"),
    ("keeps it until the next one, with the values of that event",
     "texts.functions_arrays_records_pre_and_change"),
    ("`pre(s)`, `change(s)`, `s == \"on\"` and `s <> t` are as of other discrete variables",
     "texts.statements_branches_and_comparisons"),
    ("or grow (`s = pre(s) + \"x\"`): that is refused",
     "texts.texts_that_grow_or_are_taken_over_with_values_are_refused"),
    ("`show` prints the number of its text", "texts.what_show_prints_of_them_reads_back"),
    ("`pre(x)` those before it", "texts.pre_in_a_message_is_the_value_before_the_event"),
    ("tell what is there at translation, as do `getenv`", "natives.the_operating_system"),
    ("`system`, `chdir`, `setenv` and `exit` are refused",
     "natives.what_would_change_the_process_is_refused"),
    ("pivots chosen with the values of parameters",
     "natives.pivots_are_chosen_with_the_values_of_parameters"),
    ("eigenvalues and eigenvectors (`dgeev`, `dhseqr`)",
     "natives.eigenvalues_singular_values_and_least_squares"),
    ("orthogonal factors (`dgeqp3`, `dgeqrf`, `dorgqr`)", "matrices.orthogonal_factors"),
    ("Hessenberg and Schur forms", "matrices.hessenberg_and_schur_forms"),
    ("Sylvester's equation (`dtrsyl`)", "matrices.equations_of_matrices"),
    ("by the normal equations, with a full rank", "matrices.least_squares_at_run_time"),
    ("Cholesky factors and norms are terms, with the derivatives of terms",
     "matrices.cholesky_factors_and_norms_at_run_time"),
    ("LAPACK is called with the values of the moment", "matrices.methods_of_lapack_at_run_time"),
    ("For proofs a method is an unknown function",
     "matrices.derivatives_of_eigenvalues_and_singular_values"),
    ("have exact derivatives of every order where they are regular",
     "matrices.derivatives_of_eigenvalues_and_singular_values"),
    ("derivative is refused, with the equation", "matrices.derivatives_that_lapack_does_not_give"),
    ("`show` says which method it is in", "matrices.methods_at_run_time_read_back_and_as_c"),
    ("in a when-clause says its text each time that the clause is active",
     "natives.what_models_print_is_said_when_it_happens"),
    ("Only `simulate` writes files", "natives.what_models_print_is_said_when_it_happens"),
    ("Exported C says what is printed at events on its standard error",
     "export_events.what_is_printed_at_events"),
    ("A vector may have such elements",
     "function_forms.subscripts_that_vary_behind_members_and_as_vectors"),
    ("A run ends (exit 5) where such a function jumps",
     "sound.a_function_that_jumps_and_is_differentiated_ends_the_run"),
    ("has a value of its own at each place where it is called",
     "external.two_calls_of_an_impure_function_need_not_be_equal"),
    ("(seeds of random numbers)",
     "random.seeds_that_are_parameters_are_numbers_in_long_loops"),
    ("Fourier transforms", "natives.a_transform_of_values_at_run_time"),
    ("`ModelicaIO_writeRealMatrix` in a when-clause",
     "natives.a_matrix_is_written_when_it_happens"),
    ("It gives true: what cannot be written ends the run",
     "natives.what_cannot_be_written_ends_the_run"),
    ("are done at the same moments, in the order of the text",
     "natives.a_matrix_is_written_when_it_happens"),
    ("Where the value of a Boolean parameter would write a file",
     "natives.what_cannot_be_written_ends_the_run"),
    ("Any other external function is known by its name only",
     "external.equal_calls_are_equal_and_nothing_more"),
    ("needs a derivative that it does not have is that an error",
     "external.a_derivative_that_is_needed_is_an_error_with_its_reason"),
    ("one without a result is not called, with a warning",
     "external.functions_that_act_are_left_out_with_a_warning"),
    ("modified Akima, Fritsch–Butland and Steffen",
     "tables.every_kind_of_interpolation_and_extrapolation"),
    ("from text files (`#1`)", "tables.text_files"),
    ("MATLAB files of version 4, 6, 7", "tables.matlab_files"),
    ("is a file of the library. Values", "tables.resources_of_libraries"),
    ("and an array where `r[1].x`, `r[2].x` are",
     "printed_flat.arrays_of_records_are_declared_by_members_of_elements"),
    ("makes the record of its arguments", "printed_flat.constructors_that_are_printed_with_themselves"),
    ("is the member `'x'` of a record `'a.r'`", "printed_flat.members_inside_quoted_names"),
    ("`Real(n)` is a conversion", "printed_flat.functions_of_its_own"),
    ("that are written in declarations are one type",
     "printed_flat.enumerations_of_functions_and_variables_are_one_type"),
    ("these are records;", "function_forms.records_that_are_only_constructors_and_members"),
    ("the constants are kept", "function_forms.constants_of_records_are_no_part_of_their_values"),
    ("comes before what its class says about parts",
     "function_parts.a_value_of_a_record_comes_before_values_of_its_parts"),
    ("A short class of a record that gives values",
     "record_arrays.values_that_a_short_class_or_a_declaration_gives_to_the_members_of_a_record"),
    ("a value inside a member of a local record",
     "record_arrays.a_value_inside_of_a_member_of_a_local_record_is_refused"),
    ("Operator records:", "function_forms.an_operator_record_with_all_its_operators"),
    ("from the operators of both where they are two records",
     "function_forms.operators_of_two_records_and_of_whole_arrays"),
    ("two that fit alike are an error", "function_forms.two_operators_that_fit_alike_are_told"),
    ("a function that takes the arrays themselves, such as a scalar product, comes first",
     "function_forms.operators_of_two_records_and_of_whole_arrays"),
    ("a sum of no elements is `'0'`",
     "function_forms.operators_of_two_records_and_of_whole_arrays"),
    ("`initial algorithm` likewise",
     "function_forms.initial_algorithms_give_parameters_and_states"),
    ("In the message of `assert` and `terminate` the value is that at the failure",
     "function_forms.values_in_messages_are_those_at_the_failure"),
    ("`daetool show MODEL.mo` prints what it understood",
     "show.reading_the_output_gives_the_same_bytes"),
    ("is written as a function with a local variable for each such part",
     "show.large_terms_are_functions_with_their_parts_named"),
    ("is an array; `Real x[1] = 3` is the only element of one",
     "function_forms.elements_named_by_enumerations_and_truth_values"),
    ("says that *every* declaration with literal subscripts",
     "show.reading_the_output_gives_the_same_bytes"),
    ("commands that need it report an error",
     "language.a_parameter_without_value_is_an_error_where_it_is_needed"),
    ("takes inputs from the columns of a table",
     "input_file.values_are_linear_between_rows_and_jump_at_a_repeated_time"),
    ("Such an input is a symbol in", "input_file.a_derivative_is_refused_with_name_and_order"),
    ("The ends of its pieces are time events",
     "input_file.values_are_linear_between_rows_and_jump_at_a_repeated_time"),
    ("say for every input how often", "input_file.every_input_is_told_whatever_value_it_has"),
    ("An input held at its declared or start value",
     "input_file.a_held_input_is_constant_in_all_orders"),
    ("Numbered from 0: the sections in text order", "show.json_has_the_model_in_order"),
    ("Initial equations: sections, then `fixed = true` starts", "show.json_has_the_model_in_order"),
    ("`simulate` monitors them", "simulate.failed_assertion_ends_the_run_at_its_time"),
    ("Derivatives in their conditions are replaced",
     "simulate.assertion_about_higher_derivatives_is_watched_between_output_points"),
    ("see [events.md](events.md)", "events_micro.t1_a_ball_bounces_and_its_impacts_accumulate"),
    ("Their derivatives are routines again", "routines.a_while_loop_at_run_time_and_its_derivative"),
    ("Beyond 2·10⁷ iterations", "routines.loops_without_end_are_errors"),
    ("`assert` in it is monitored", "routines.assertions_in_loops_are_watched"),
    ("Results of up to 100 terms", "opaque.a_large_function_is_called_not_written_out"),
    ("`analyze` and `check-init` name that as an assumption",
     "opaque.verdicts_name_annotated_derivatives_as_assumptions"),
    ("What no annotation gives is had by differentiation of the last body",
     "opaque.a_third_derivative_is_that_of_the_annotation"),
    ("is not used, with a warning: the equation is solved as it stands",
     "inverse.an_inverse_that_is_seen_to_be_wrong_is_not_used"),
    ("Of a function without a body it cannot be", "inverse.what_is_no_inverse_is_not_used"),
    ("function annotations in the external clause",
     "external.the_annotation_of_the_external_clause_is_one_of_the_function"),
    ("It is differentiated by its `derivative` annotation", "external.an_annotated_derivative_is_enough"),
    ("a small one is built in", "newcomer.units_and_constants_are_imported_without_a_library"),
    ("(repeatable, the first wins), then the entries of", "components.versions_of_libraries"),
    ("PATH is a folder with `package.mo`", "components.a_class_of_a_library_is_a_model"),
    ("Of several versions the one in", "components.versions_of_libraries"),
    ("Files are parsed when a name in them is looked up",
     "components.messages_point_into_the_file_of_the_library"),
    ("a signal has one source", "components.mistakes_have_a_place_and_one_message"),
    ("get a spanning tree", "loops.a_loop_is_cut_once"),
    ("keeps all equations of a loop instead",
     "loops.all_equations_are_kept_and_the_redundant_ones_found"),
    ("a connect gives them the members that it names", "buses.a_connect_makes_a_bus_on_a_bus"),
    ("A declared member exists if a connect or an expression uses it",
     "buses.declared_members_are_there_if_they_are_used"),
    ("Array elements that nothing is connected to", "buses.subscripts_make_arrays"),
    ("A signal has one source over all levels", "buses.what_the_bus_of_the_model_lacks_is_an_input"),
    ("beside each stream variable `h`", "fluid.streams_mix_where_several_meet"),
    ("Two connectors exchange their values exactly", "fluid.two_streams_are_exchanged_exactly"),
    ("never sends.", "fluid.who_never_sends_is_left_out"),
    ("Errors, each at the place of the mistake", "mistakes.each_has_its_place_and_one_message"),
    ("must have all public elements of the constraining type",
     "mistakes.each_has_its_place_and_one_message"),
    ("warns of equations and values of parameters", "units.each_mistake_has_its_place_and_both_units"),
    ("Branches of an if-equation, and branches in them, have units of their own",
     "units.nested_branches_hidden_constants_and_coefficients_are_no_mistakes"),
    ("that are given an array of numbers",
     "units.nested_branches_hidden_constants_and_coefficients_are_no_mistakes"),
    ("calls of functions that give a unit", "units.what_functions_say_of_units_counts_as_said"),
    ("Numbers may have any unit",
     "units.constants_with_units_are_put_in_as_numbers_and_not_judged"),
    ("Media are packages", "fluid.a_medium_is_a_package_that_redeclares"),
    ("`getInstanceName()` is supported", "fluid.the_name_of_an_instance"),
    ("[clocks.md](clocks.md)", "clocks.previous_counts_ticks_and_begins_at_the_start_value"),
]

# (the words of the page, the command, the model, its exit code, what it says; options may follow)
RUN = [
    ("a sum of no elements is `'0'`", "show", "operator record C Real x; encapsulated operator "
     "function '0' import C; output C c; algorithm c := C(0); end '0'; encapsulated operator function "
     "'+' import C; input C a; input C b; output C c; algorithm c := C(a.x + b.x); end '+'; "
     "encapsulated operator function '*' import C; input C a; input C b; output C c; algorithm c := "
     "C(a.x*b.x); end '*'; end C; model M C a[2,0], b[0,3], v[0]; C p[2,3] = a*b; C q[3] = v*b; "
     "end M;", 0, "Real p[2,3].x = 0"),
    ("Every error is `FILE:LINE:COL: error: …` with the source line and a caret", "show",
     "model A\n  Real x = y;\nend A;\n", 3, "<stdin>:2:12: error: unknown name 'y'\n"
     "    Real x = y;\n             ^"),
    ("`Boolean b = noEvent(x > 0)` and `discrete Real d = 2*x` are errors", "analyze",
     "model A Real x = time; discrete Real d = 2*x; end A;", 3, "changes at events only"),
    ("`Boolean b = noEvent(x > 0)` and", "analyze",
     "model A Real x = time; Boolean b = noEvent(x > 0); end A;", 3, "changes at events only"),
    ("`start` and `fixed` refer to `pre` of the variable", "simulate",
     "model A Integer n(start = 3, fixed = true); equation when time > 0.5 then n = pre(n) + 1; "
     "end when; end A;", 0, "\n1,4\n", "--stop", "1", "--intervals", "1"),
    ("If it has only a start value, that is used, with a warning", "simulate",
     "model A parameter Real p(start = 3); Real x = p*time; end A;", 0, "\n1,3\n", "--stop", "1",
     "--intervals", "1"),
    ("else its start value (default 0) with a warning", "simulate",
     "model A input Real u; Real x = u + 1; end A;", 0, "warning: ", "--stop", "1", "--intervals",
     "1"),
    ("The results have it under its name, after the variables", "simulate",
     "model A input Real u = 2*time; Real x = u + 1; end A;", 0, '"time","x","u"\n', "--stop", "1"),
    ("is decided in double precision, unless both sides agree to nine digits", "show",
     "function f input Real u; output Real y; protected constant Real p = 200; algorithm "
     "if log(p) > 5 then y := u; else y := 2*u; end if; end f; model A Real x = f(time); end A;",
     0, "x = time"),
    ("A constant that is not rational and has become long is replaced by the nearest double", "show",
     "function f input Real u; output Real y; protected Real s = 2; algorithm for i in 1:40 loop "
     "s := sqrt(s) + 1/(s + i); end for; y := s*u; end f; model A Real x = f(time); end A;",
     0, "x = time*("),
    ("An array keeps its size in such a loop", "show", "function f input Real u; output Real y; "
     "protected Real v[:] = {u}; Real k = u; algorithm while k < 3 loop k := k + 1; "
     "v := cat(1, v, {k}); end while; y := sum(v); end f; model A Real x = f(time); end A;", 3,
     "changes its size in a loop"),
    ("It becomes a routine without a loop", "show", "function f input Real u; output Real y; "
     "algorithm y := u^2; annotation(Inline = false); end f; model A Real x = f(time); end A;", 0,
     "'f#1'(1, time)"),
    ("`GenerateEvents = true`, `impure` functions and those", "show",
     "function f input Real u; output Real y; algorithm y := if u > 1 then u^2 else u; "
     "annotation(Inline = false, GenerateEvents = true); end f; model A Real x = f(time); end A;", 0,
     "x = if time > 1 then time^2 else time"),
    ("A function with branches is differentiated branch by branch", "simulate",
     "function f input Real u; output Real y; algorithm y := if u > 0.5 then u^2 else u - 0.25; "
     "end f; model A Real x = f(time), v = der(x); end A;", 0, "\n1,1,2\n", "--stop", "1",
     "--intervals", "1"),
    ("is closed there by `noEvent(…)`", "simulate", "function f input Real u; output Real y; "
     "algorithm y := u; for i in 1:30 loop y := y*123456789.123 + u/987654321.987; end for; "
     "y := y/123456789.123^30; end f; model A Real x = f(time); end A;", 0, "\n1,0.99999999999999", "--stop",
     "1", "--intervals", "1"),
    ("`simulate` and `export` refuse it (exit 3), since it has no values", "simulate",
     "function g input Real u; output Real y; external \"C\"; end g; "
     "model A Real x = g(time); end A;", 3, "it has no values"),
    ("Values are looked up in constant data", "show", "class T extends ExternalObject; end T; "
     "model A Real x = time; end A;", 0, "x = time"),
    ("a Real value (`n = 2.5`, `n = z` with a Real `z`) is an error", "analyze",
     "model A Integer n; equation n = 2.5; end A;", 3, "'n' is Integer, its value 2.5 is Real"),
    ("a Real value (`n = 2.5`, `n = z` with a Real `z`) is an error", "analyze",
     "model A Integer n; discrete Real z; equation n = z; when time > 1 then z = 0.5; end when; "
     "end A;", 3, "'n' is Integer, its value z is Real"),
    ("a whole number of type Real (`n = 2^3`) is not", "simulate",
     "model A Integer n; equation n = 2^3; end A;", 0, "\n1,8\n", "--stop", "1", "--intervals",
     "1"),
    ("A number, or another record, is converted by `'constructor'`", "show", "operator record C Real re; Real im; "
     "encapsulated operator 'constructor' function f import C; input Real re; input Real im = 0; "
     "output C c(re = re, im = im); algorithm end f; end 'constructor'; encapsulated operator "
     "function '+' import C; input C a; input C b; output C c; algorithm c := C(a.re + b.re, a.im + "
     "b.im); end '+'; end C; model A C c = C(1, time) + 2; end A;", 0, "c.re = 3"),
    ("Arrays of them can be added, scaled, multiplied and summed", "show",
     "operator record C Real re; Real im; "
     "encapsulated operator function '+' import C; input C a; input C b; output C c; algorithm "
     "c := C(a.re + b.re, a.im + b.im); end '+'; end C; model A C c[2] = {C(1, time), C(2, 3)} + "
     "{C(4, 5), C(6, time)}; C s = sum(c); end A;", 0, "s.re = c[1].re + c[2].re"),
    ("of Real, Integer, Boolean and enumerations", "simulate", "type E = enumeration(a, b); "
     "model A Real x = time; equation assert(x < 0.5, String(x, significantDigits = 2) + "
     "String(7, minimumLength = 3) + String(true) + String(E.b) + String(2/3, format = \"5.2f\"));"
     " end A;", 5, "0.57  trueb 0.67", "--stop", "1"),
    ("A format is for numbers: `e`, `f`, `g`, of an Integer also `d`, `i`, `o`, `u`", "show",
     "model A parameter Integer n = -12; Real x = if String(n, format = \"5d\") + String(n, format "
     "= \"8.2f\") == \"  -12  -12.00\" then 1 else 2; end A;", 0, "x = 1"),
    ("A format is for numbers: `e`, `f`, `g`, of an Integer also `d`, `i`, `o`, `u`", "show",
     "model A parameter String s = String(true, format = \"5d\"); Real x = time; end A;", 3,
     "'5d' is no format of this value"),
    ("Strings that are needed at translation are made with the values of parameters", "show",
     "model A parameter Integer n = 2; parameter String s = \"n\" + String(n); Real x = if s == "
     "\"n2\" then time else 0; end A;", 0, "x = time"),
    ("(and the older `Modelica.SIunits`)", "show",
     "model A Modelica.SIunits.Mass m = 1; end A;", 0, 'm(unit = "kg")'),
    ("`daetool tree` the components, their types and where each modifier comes from", "tree",
     "model B parameter Real p = 1; Real x = p*time; end B; model A B b(p = 2); end A;", 0,
     "  b : B   (<stdin>:1)\n    p = 2   (<stdin>:1)"),
    ("in its imports (of all forms), then in the enclosing classes", "show",
     "package P constant Real c = 1; package Q constant Real d = 2; end Q; model B import "
     "P.Q; import e = P.Q.d; import P.Q.*; Real x = (c + Q.d + e + d)*time; end B; end P; "
     "model A P.B b; end A;", 0, "b.x = 7*time"),
    ("`redeclare`, `replaceable`, `constrainedby`", "show", "model B parameter Real k = 1; Real x "
     "= k*time; end B; model C extends B(k = 3); end C; model D replaceable B b constrainedby "
     "B(k = 2); end D; model A D d(redeclare C b); end A;", 0, "d.b.x = d.b.k*time"),
    ("functions with algorithms are executed for this", "show", "function f input Integer n; output "
     "Integer m = 0; algorithm while m*m < n loop m := m + 1; end while; end f; model B parameter "
     "Integer n = 5; Real x[f(n)] = ones(f(n))*time; end B; model A B b; end A;", 0, "b.x[3]"),
    ("potentials are equal, flows sum to zero", "show", "connector P Real v; flow Real i; end P; "
     "model R P p; equation p.v = p.i; end R; model A R a, b; P q; equation connect(a.p, b.p); "
     "connect(a.p, q); end A;", 0, "a.p.i + b.p.i - q.i = 0"),
    ("Members of a connector (`r.p.v`) are no connectors", "show",
     "connector P Real v; flow Real i; end P; model R P p; end R; model A R a, b; equation "
     "connect(a.p.v, b.p.v); end A;", 3, "is no connector"),
    ("`actualStream` makes no events", "show", "connector F Real p; flow Real m; stream Real h; end "
     "F; model S F f; Real q = actualStream(f.h); equation f.m = -time; f.h = 3; end S; model T F f;"
     " equation f.p = 1; f.h = 5; end T; model A S s; T t; equation connect(s.f, t.f); end A;", 0,
     "noEvent"),
    ("give `s = if x >= 0 then a else b`", "analyze", "model A Real x = time - 0.5, a = 1, b = 2, s, "
     "y; equation y = semiLinear(x, a, s); y = semiLinear(x, s, b); end A;", 0, "structural index"),
    ("without a `constrainedby` the value, the dimensions", "show", "model B parameter Real k = 1; "
     "Real x = k*time; end B; model C parameter Real k = 5; Real x = 2*k*time; end C; model D "
     "replaceable B b(k = 4); end D; model A D d(redeclare C b); end A;", 0, "d.b.k = 4"),
    ("`show` prints when-clauses too, and clocks", "show", "model A Real x(start = 0, fixed = true);"
     " equation when sample(0, 1) then x = pre(x) + 1; end when; end A;", 0, "when sample(0, 1)"),
    ("The verdict and the exit code are not affected", "analyze",
     "model A Real m(unit = \"m\") = time, s(unit = \"s\") = 1, k(unit = \"m\"); equation "
     "k = m + s; end A;", 0, "warning", "--check-units"),
]
