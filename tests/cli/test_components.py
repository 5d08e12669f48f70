"""Models with components: libraries, modifiers, redeclarations, connections. The
library is tests/library/Small."""

import json
import os

from harness import ROOT, check_exit, contains, equal, main, run, run_text, scratch

LIBRARY = str(ROOT / "tests" / "library")
PIN = "connector Pin Real v; flow Real i; end Pin;\n"


def show(text, *options):
    return check_exit(run_text("show", text, "--library", LIBRARY, *options), 0).out


def refused(text, message):
    result = check_exit(run_text("show", text, "--library", LIBRARY), 3)
    contains(result.err, message)
    equal(result.err.count(": error: "), 1)
    return result


RC = """model RC
  import Small.Electrical.*;
  Resistor r(R = 2);
  Capacitor c(C = 0.5, v(start = 0, fixed = true));
  Source s(V = 10);
  Ground g;
equation
  connect(s.p, r.p); connect(r.n, c.p); connect(c.n, s.n); connect(s.n, g.p);
  annotation(experiment(StopTime = 2), uses(Small(version = "1.0.0")));
end RC;
"""


def test_a_circuit_from_text_to_numbers():
    text = show(RC)
    contains(text, 'parameter Real r.R(unit = "Ohm", min = 0) = 2;')
    contains(text, "  c.n.i + s.n.i + g.p.i = 0;\n")
    contains(text, "  s.p.v = r.p.v;\n")
    assert "heatPort" not in text
    result = check_exit(run_text("simulate", RC, "--library", LIBRARY, "--intervals", "2"), 0)
    names = [name.strip('"') for name in result.out.splitlines()[0].split(",")]
    last = [float(x) for x in result.out.splitlines()[-1].split(",")]
    assert abs(last[names.index("c.v")] - 10*(1 - 2.718281828459045**-2)) < 1e-4


def test_a_flow_is_not_connected_with_a_potential():
    refused("model A connector P Real v; flow Real i; end P; connector Q flow Real v; "
            "Real i; end Q; P p; Q q; "
            "equation connect(p, q); p.v = 1; end A;", "is a flow and")


def test_a_stream_is_connected_with_streams_only():
    refused("connector P Real p; flow Real m; stream Real h; end P; connector Q Real p; flow Real m; "
            "Real h; end Q; model A P a; end A; model B Q b; end B; model M A a; B b; "
            "equation connect(a.a, b.b); end M;", "'a.a.h' is a stream and 'b.b.h' is not")
    refused("model M connector C = Real; connector D = stream Real; C c; D d; "
            "equation connect(c, d); end M;", "'d' is a stream and 'c' is not")


def test_the_flat_model_reads_back_to_itself():
    text = show(RC)
    equal(check_exit(run_text("show", text), 0).out, text)


def test_a_class_of_a_library_is_a_model():
    result = check_exit(run("show", "--library", LIBRARY, "Small.Thermal.Ambient"), 0)
    contains(result.out, "model Small.Thermal.Ambient\n")
    contains(result.out, "  port.Q = 0;\n")
    result = check_exit(run("show", "Small.Thermal.Ambient",
                            env={**os.environ, "MODELICAPATH": LIBRARY}), 0)
    contains(result.out, "port.T = T")


def test_a_package_or_a_function_is_no_model():
    for name, what in (("Small.Electrical", "package"), ("Small.twice", "function")):
        result = check_exit(run("show", name, "--library", LIBRARY), 3)
        contains(result.err, f"error: '{name}' is a {what}, no model")


def test_a_file_with_several_classes_is_a_library():
    with scratch() as folder:
        path = os.path.join(folder, "Doubles.mo")
        with open(path, "w", encoding="utf-8") as file:
            file.write("function twice input Real u; output Real y; algorithm y := 2*u; "
                       "end twice;\n"
                       "model Tank Real h(start = 1, fixed = true); equation der(h) = -twice(h); "
                       "end Tank;\n")
        result = check_exit(run("show", "Tank", "--library", path), 0)
        contains(result.out, "der(h) = -2*h")
        result = check_exit(run("show", "Tnk", "--library", path), 3)
        contains(result.err, "there is no class 'Tnk'; did you mean 'Tank'?")
        result = check_exit(run("show", "Doubles", "--library", path), 3)
        assert "did you mean 'Doubles'" not in result.err, result.err


def test_unknown_classes_have_suggestions():
    result = check_exit(run("show", "--library", LIBRARY, "Small.Thermal.Ambiant"), 3)
    contains(result.err, "there is no class 'Ambiant' in 'Small.Thermal'; did you mean 'Ambient'?")
    refused("model A Small.Electrical.Resistr r; end A;", "did you mean 'Resistor'?")


def test_versions_of_libraries():
    with scratch() as folder:
        for version, value in [("1.0.0", 1), ("1.2.0", 2), ("1.10.0", 3)]:
            path = os.path.join(folder, f"Lib {version}")
            os.mkdir(path)
            with open(os.path.join(path, "package.mo"), "w") as file:
                file.write(f"package Lib model M Real x = {value}; end M; end Lib;\n")
        newest = check_exit(run_text("show", "model A extends Lib.M; end A;",
                                     "--library", folder), 0).out
        contains(newest, "x = 3")
        text = 'model A extends Lib.M; annotation(uses(Lib(version = "1.2.0"))); end A;'
        contains(check_exit(run_text("show", text, "--library", folder), 0).out, "x = 2")


MODELS = [
    # what is written, what the flat model has
    ("model B parameter Real k = 1; Real x; equation x = k; end B; "
     "model A B b(k = 2), c; end A;", ["b.k = 2", "c.k = 1", "b.x = b.k"]),
    # outer modifiers win over inner ones
    ("model B parameter Real k = 1; end B; model C B b(k = 2); end C; "
     "model A C c(b(k = 3)), d; end A;", ["c.b.k = 3", "d.b.k = 2"]),
    ("model B parameter Real k = 1; end B; model A extends B(k = 5); end A;", ["k = 5"]),
    ("model B Real x(start = 1); end B; model A B b(x(start = 4, fixed = true)); "
     "equation der(b.x) = 1; end A;", ["b.x(start = 4, fixed = true)"]),
    # the expression of a modifier belongs to where it is written
    ("model B parameter Real k = 1; parameter Real n = 7; end B; "
     "model A parameter Real n = 3; B b(k = n); end A;", ["b.k = n"]),
    # subscripts that are expressions or references themselves, of arrays of other classes
    ("package P constant Integer N[3] = {3, 1, 2}; "
     "constant Integer T[2, 2] = {{1, 2}, {3, 4}}; end P; model B Integer k[3]; "
     "equation k[1] = 2; for i in 1:2 loop k[i + 1] = P.N[k[i]] + i; end for; end B; "
     "model A B b; Integer t = P.T[3 - b.k[1], b.k[2 - 1]]; end A;",
     ["b.k[2] = {3, 1, 2}[b.k[1]] + 1", "b.k[3] = {3, 1, 2}[b.k[2]] + 2",
      "t = {{1, 2}[b.k[1]], {3, 4}[b.k[1]]}[3 - b.k[1]]"]),
    # arrays of components: values are distributed, each is not
    ("model B parameter Real k; parameter Real m; end B; model A B b[2](k = {1, "
     "2}, each m = 3); end A;", ["b[1].k = 1", "b[2].k = 2", "b[1].m = 3", "b[2].m = 3"]),
    ("model B Real x; equation x = 1; end B; model A B b[3]; Real s = sum(b.x); "
     "Real t = b[2].x; end A;", ["s = b[1].x + b[2].x + b[3].x", "t = b[2].x"]),
    ("model B Real x; end B; model A B b[3]; "
     "equation for i in 1:3 loop b[i].x = i; end for; end A;", ["b[3].x = 3"]),
    ("model A parameter Integer n = 2; model B Real x = 1; end B; B b[n]; end A;", ["b[2].x = 1"]),
    # a function of scalars that goes through an array
    ("function f input Real x; output Real y; algorithm y := 2*x; end f; model B parameter Real k; "
     "end B; model A B b[2](k = f({1, 3})); end A;", ["b[1].k = 2", "b[2].k = 6"]),
    # constants in an array of records, used by a function that a constant calls
    ("package P record R Real a; Real b; end R; constant R r = R(1, 2); constant R data[2] = {r, "
     "R(3, 4)}; function f input Real x; output Real y; algorithm y := sum({data[i].a*data[i].b for "
     "i in 1:2})*x; end f; constant Real h = f(2); end P; model A Real x = P.h; end A;",
     ["x = 28"]),
    # redeclarations: component, class, package
    ("model R parameter Real k = 1; Real y = k; end R; model S extends R; Real z = 2; end S; "
     "model B replaceable R r; end B; model A B b(redeclare S r(k = 4)); end A;",
     ["b.r.k = 4", "b.r.z = 2"]),
    ("model R Real y = 1; end R; model S Real y = 2; end S; model B replaceable model M = R; "
     "M m; end B; model A B b(redeclare model M = S); end A;", ["b.m.y = 2"]),
    ("package P constant Real c = 1; end P; package Q extends P(c = 2); end Q; "
     "model B replaceable package M = P; Real x = M.c; end B; "
     "model A B b(redeclare package M = Q); end A;", ["b.x = 2"]),
    ("model R parameter Real k = 1; end R; model B replaceable R r(k = 6) constrainedby R(k = "
     "7); end B; model A B b(redeclare R r); end A;", ["b.r.k = 7"]),
    ("model B replaceable model M Real y = 1; end M; M m; end B; model A extends B; "
     "redeclare model extends M Real z = y; end M; end A;", ["m.y = 1", "m.z = m.y"]),
    # conditional components and their connections
    (PIN + "model B parameter Boolean has = false; Pin p if has; Pin q; "
     "equation connect(p, q); q.v = 1; end B; model A B b; end A;", ["b.q.i = 0"]),
    # inner and outer
    ("model W parameter Real g = 9; end W; model B outer W w; Real x = w.g; end B; "
     "model A inner W w(g = 8); B b; end A;", ["w.g = 8", "b.x = w.g"]),
    # both: the class itself sees the outer one, what is in it the inner one
    ("record W Real g = 1; end W; model C outer W w; Real x = w.g; end C;"
     "model B inner outer W w(g = 3); C c; Real y = w.g; end B;"
     "model A inner W w(g = 8); B b; end A;",
     ["w.g = 8", "b.w.g = 3", "b.c.x = b.w.g", "b.y = w.g"]),
    ("connector P Real v; flow Real i; end P;"
     "model R P p; equation p.v = 1; end R; model C outer R r; P p; equation p.i = 2;"
     "connect(p, r.p); end C; model B inner outer R r; C c; P q; equation q.i = 5;"
     "connect(q, r.p); end B; model A inner R r; B b; end A;",
     ["b.q.v = r.p.v", "b.c.p.v = b.r.p.v"]),
    # enumerations, functions, constants of packages
    ("model A parameter Small.Kind k = Small.Kind.high; "
     "Real x = if k == Small.Kind.high then 1 else 2; end A;", ["x = 1"]),
    ("model A Real x = Small.pi; end A;", ["Small.pi"]),
    ("model A Small.Closed.Inside i; end A;", ['i.v(unit = "V")']),
    # connections: signs, arrays, nested connectors, unconnected flows
    (PIN + "model B Pin p; equation p.v = 1; end B; model C Pin q; B b; equation connect(q, "
     "b.p); end C; model A C c; end A;", ["-c.q.i + c.b.p.i = 0", "c.q.i = 0"]),
    (PIN + "model B Pin p[2]; end B; model A B b, c; equation connect(b.p, c.p); "
     "b.p.v = {1, 2}; end A;", ["b.p[2].i + c.p[2].i = 0", "b.p[1].v = c.p[1].v"]),
    (PIN + "connector Plug Pin a; Pin b; end Plug; model B Plug p; end B; "
     "model A B b, c; equation connect(b.p, c.p); b.p.a.v = 1; b.p.b.v = 2; end A;",
     ["b.p.a.v = c.p.a.v", "b.p.b.i + c.p.b.i = 0"]),
    ("connector In = input Real; connector Out = output Real; block G In u; Out y; equation y "
     "= 2*u; end G; model A G g, h; Real s = 1; equation connect(g.y, h.u); g.u = s; end A;",
     ["g.y = h.u"]),
    (PIN + "model B Pin p; Real n = cardinality(p); equation p.v = 0; end B; model A B b, c; "
     "equation connect(b.p, c.p); end A;", ["b.n = 1"]),
    # records: modifiers of members, of members of members; defaults that refer to other members
    ("record F parameter Real p = 0; parameter Real w; parameter Real t = p/w; end F; record D "
     "extends E(f(w = 2)); parameter Real r = 5; end D; record E parameter F f(p = 3, w = 1); "
     "end E; model A parameter D d(f(p = 8)); parameter F g = d.f; Real x = g.t; end A;",
     ["d.f.p = 8", "d.f.w = 2", "d.f.t = d.f.p/d.f.w", "g.t = d.f.t"]),
    ("record R parameter Real a; parameter Real b = 2*a; end R; model A R r[2](a = {1, 2}); "
     "R s = r[2]; Real x = sum(r.b); Real y = r[1].b; end A;",
     ["r[1].a = 1", "r[2].b = 2*r[2].a", "s.b = r[2].b", "x = r[1].b + r[2].b", "y = r[1].b"]),
    # a member that a modifier names is not taken from the value of the whole
    ("record R parameter Real a = 1; parameter Real b = 2; end R; model B parameter R r; "
     "end B; model A parameter R q(a = 7, b = 8); B b(r(a = 9) = q); end A;",
     ["b.r.a = 9", "b.r.b = q.b"]),
    ("record R parameter Real a; parameter Real t[:, 2] = [0, 0; 1, 1]; end R; "
     "model A parameter R q(a = 1, t = [1, 2; 3, 4; 5, 6]); parameter R r = q; "
     "Real x = r.t[3, 2]; end A;", ["r.t[3,2] = q.t[3,2]"]),
    ("record R parameter Real a; end R; model A parameter R r[3](each a = 4); Real x[3]; "
     "equation for i in 1:3 loop x[i] = r[i].a; end for; end A;", ["x[3] = r[3].a"]),
    # subscripts that are expressions
    ("model B Real x[4]; end B; model A B b; equation b.x[1] = time; b.x[2:3] = {2, 3}; "
     "for i in 3:3 loop b.x[i + 1] = b.x[i - 1]; end for; end A;",
     ["b.x[2] = 2", "b.x[3] = 3", "b.x[4] = b.x[2]"]),
    # a constant that only a function uses comes before the values that call the function
    ("package P constant Real e = 3; function f input Real x; output Real y; "
     "algorithm y := e*x; end f; end P; model A parameter Real a[2] = {P.f(2), 1}; "
     "parameter Real b = a[1]; Real x = b; end A;", ["b = a[1]"]),
    ("model B parameter Real k; end B; model A parameter Real s = sum(b[i].k for i in 1:2); "
     "parameter Real t = 2*s; B b[2](k = {3, 4}); end A;", ["s = b[1].k + b[2].k"]),
    ("connector In = input Complex; connector Out = output Complex; record Complex Real re; "
     "Real im; end Complex; model G Out y[2]; equation for i in 1:2 loop y[i].re = i; "
     "y[i].im = 0; end for; end G; model H In u; end H; model A G g; H h; H k; "
     "equation connect(g.y[2], h.u); connect(g.y[1], k.u); end A;",
     ["g.y[2].re = h.u.re", "g.y[1].im = k.u.im"]),
    # constants are members as well; arrays of records in records; a value of
    # another record, element by element
    ("record R constant Integer level = 3; parameter Real a = 1; end R; function f input R r; "
     "output Real y; algorithm y := r.level*r.a; end f; model A parameter R r(a = 2); "
     "Real x = f(r); end A;", ["x = 3*r.a"]),
    ("record R parameter Real a; end R; record S parameter Integer n = 2; "
     "parameter R r[n] = {R(5), R(6)}; end S; function f input S s; output Real y; algorithm y "
     ":= sum(s.r.a); end f; model A parameter S s; parameter S t = s; Real x = f(t); end A;",
     ["s.r[2].a = 6", "t.r[2].a = s.r[2].a", "x = t.r[1].a + t.r[2].a"]),
    ("record C parameter Real t[:] = {0}; end C; record S parameter Integer n; parameter C a; "
     "parameter C b; parameter C c[n] = {if i == 1 then a else b for i in 1:n}; end S; "
     "model B parameter C c; Real x = sum(c.t); end B; "
     "model A parameter S s(n = 2, a(t = {1, 2}), b(t = {3, 4, 5})); B b[2](c = s.c); end A;",
     ["b[1].c.t[2] = s.c[1].t[2]", "b[2].c.t[3] = s.c[2].t[3]", "s.c[2].t[3] = s.b.t[3]"]),
    # what replaces a component without a constraining clause keeps its value and dimensions
    ("model B parameter Integer n = 2; replaceable parameter Real k[n] = {7, 8}; end B; model "
     "A B b(redeclare parameter Real k(unit = \"m\")); end A;", ['b.k[2](unit = "m") = 8']),
    # and its condition
    ("model R Real y = 1; end R; model S Real y = 2; end S; model B parameter Boolean has = "
     "true; replaceable R r if has; Real z = 3; end B; model A B b(has = false, "
     "redeclare S r), c(redeclare S r); end A;", ["c.r.y = 2", "  Real b.z = 3"]),
    # a member that a function does not assign is a mistake only where it is needed
    ("record R Real a; Real b; end R; function f input Real x; output R r; algorithm r.a := x; "
     "end f; model A parameter R r = f(3); Real x = r.a; end A;", ["x = r.a"]),
    ("record R Real a; Real b; end R; function f input Real x; output R r; algorithm r.a := x; "
     "r.b := 2*x; end f; model A R r; Real y = time; algorithm r := f(y); end A;",
     ["r.a = y", "r.b = 2*y"]),
    # arrays in the constructor of a derived record
    ("record B parameter Real t[:, 2] = [0, 0]; parameter Real k = 1; end B; "
     "record D extends B(t = [1, 2; 3, 4; 5, 6], k = 2); end D; model A parameter B b = D(); "
     "Real x = b.t[3, 2]*b.k; end A;", ["b.t[3,2] = 6", "b.k = 2"]),
    # when-clauses; Boolean variables are 0 or 1; the number pi has the name of the constant
    ("package Modelica package Constants constant Real pi = 2*asin(1); end Constants; end "
     "Modelica; model A discrete Real y(start = 1, fixed = true); Boolean b(start = false, "
     "fixed = true); Boolean s; Real x(start = 0, fixed = true); equation s = sample(0, 0.5); "
     "der(x) = if b or pre(s) then 1 else Modelica.Constants.pi; when {x > 1, initial()} then "
     "y = pre(y) + 1; if y > 3 then reinit(x, 0); end if; elsewhen x > 2 then y = 7; end when; "
     "when x > 5 then b = not pre(b); terminate(\"over\"); end when; end A;",
     ["  when {x > 1, initial()} then\n    if y > 3 then\n      reinit(x, 0);\n    end if;\n"
      "    y = pre(y) + 1;\n  elsewhen x > 2 then\n    y = 7;\n", "    terminate(\"over\");\n",
      "  s = sample(0, 0.5);\n"]),
    # a Boolean that the initialization finds
    ("model A parameter Boolean up(fixed = false); parameter Real a = 2; Real x; "
     "initial equation up = a > 1; equation x = if up then 1 else 2; end A;",
     ["parameter Boolean up(fixed = false)", "up = a > 1", "x = if up then 1 else 2"]),
]


def test_rules_of_instantiation():
    for text, wanted in MODELS:
        out = show(text)
        for line in wanted:
            assert line in out, (text, line, out)
        equal(check_exit(run_text("show", out), 0).out, out)


def test_a_redeclared_component_keeps_its_condition():
    out = show("model R Real y = 1; end R; model S Real y = 2; end S; "
               "model B parameter Boolean has = true; replaceable R r if has; "
               "Real z = 3; end B; model A B b(has = false, redeclare S r); end A;")
    assert "b.r" not in out, out


def test_the_tree_as_json():
    model = ("model A parameter Real p[2] = {1, 2}; Real x(start = 3); end A; record R Real u; end "
             "R;\nmodel B replaceable A a[2](each x(start = 4)); Real z if false; outer R w; end B;"
             "\nmodel M B b(redeclare A a(p = {{5, 6}, {7, 8}})); inner R w(u = time); end M;")
    tree = json.loads(check_exit(run_text("tree", model, "--format", "json"), 0).out)
    equal(tree["model"], "M")
    b, w = tree["components"]
    a, z, outer = b["components"]
    equal((b["type"], b["line"], a["type"], a["dimensions"]), ("B", 3, "A", [2]))
    equal(b["modifiers"][0], {"name": "a", "redeclare": True, "file": "<stdin>", "line": 3})
    equal(a["modifiers"][0]["text"], "{{5, 6}, {7, 8}}")
    equal(a["modifiers"][1], {"name": "x.start", "text": "4", "file": "<stdin>", "line": 2})
    equal(a["components"][0]["value"]["part"], [1])
    equal((z["type"], outer["inner"], w["modifiers"][0]["text"]), (None, "w", "time"))
    text = check_exit(run_text("tree", model), 0).out
    equal(text.count("\n"), 1 + sum(len(list(lines_of(c))) for c in tree["components"]))


def lines_of(component):
    """What the tree has of a component as text: itself, what is said of it, what is inside."""
    yield component["name"]
    yield from ([component["value"]["text"]] if "value" in component else [])
    for modifier in component.get("modifiers", []):
        yield from (["redeclare"] if "redeclare" in modifier else [])
        yield from ([modifier["text"]] if "text" in modifier else [])
    for inner in component.get("components", []):
        yield from lines_of(inner)


def test_the_tree_tells_where_modifiers_come_from():
    with scratch() as folder:
        path = os.path.join(folder, "rc.mo")
        with open(path, "w") as file:
            file.write(RC)
        out = check_exit(run("tree", "--library", LIBRARY, path), 0).out
        contains(out, "RC\n  r : Small.Electrical.Resistor   (rc.mo:3)\n    R = 2   (rc.mo:3)\n")
        contains(out, "    heatPort : not there, its condition is false   (Resistor.mo:6)\n")
        contains(out, "      v.start = 0   (rc.mo:4)\n".replace("      v", "    v"))
    out = check_exit(run("tree", "--library", LIBRARY, "Small.Thermal.Falling"), 0).out
    contains(out, "world : Small.Thermal.World")
    check_exit(run("tree", "--library", LIBRARY, "Small.Nothing"), 3)


def test_structural_parameters_follow_set():
    text = "model A parameter Integer n = 2; model B Real x = 1; end B; B b[n]; end A;"
    contains(show(text, "--set", "n=4"), "b[4].x = 1")


MISTAKES = [
    ("model B Real x; end B; model A B b(y = 1); end A;", "'b' has no element 'y'"),
    ("model B Real gain; end B; model A B b(gian = 1); end A;", "did you mean 'gain'?"),
    ("model A Real x(strat = 1); equation x = 1; model B end B; B b; end A;", "strat"),
    ("model A A a; Real x = 1; end A;", "the component 'a' contains itself"),
    ("model B extends B; end B; model A B b; end A;", "form a cycle"),
    (PIN + "connector Other Real w; end Other; model A Pin p; Other q; "
     "equation connect(p, q); end A;", "do not fit"),
    (PIN + "model B Pin p[2]; Pin q[3]; equation connect(p, q); end B; model A B b; end A;",
     "arrays of 2 and 3 connectors"),
    ("model B parameter Integer n; Real x[n]; end B; model A B b; end A;",
     "the size of 'b.x' is not known"),
    ("model B Real x; end B; model A B b; equation b.x = b.z; end A;", "there is no 'z' in B"),
    ("model B Real speed; end B; model A B b; equation b.speed = spede; end A;",
     "unknown name 'spede'"),
    ("model R Real y = 1; Real z = 1; end R; model S Real y = 2; end S; "
     "model B replaceable R r; end B; model A B b(redeclare S r); end A;",
     "'r' is redeclared outside its constraint: there is no 'z' in the new one"),
    ("partial model P Real y; Real w; end P; model R extends P; equation y = 1; w = 1; end R; "
     "model S Real y = 2; end S; model B replaceable model M = R constrainedby P; M m; end B; "
     "model A B b(redeclare model M = S); end A;",
     "'M' is redeclared outside its constraint: there is no 'w' in the new one"),
    ("model B replaceable Real r = 1; end B; model S Real y = 2; end S; "
     "model A B b(redeclare S r); end A;", "outside its constraint: the types differ"),
    ("model A import Small.Nothing; Real x; equation x = Nothing.c; end A;",
     "there is no 'Small.Nothing' to import"),
]


def test_mistakes_have_a_place_and_one_message():
    for text, message in MISTAKES:
        refused(text, message)


def test_messages_point_into_the_file_of_the_library():
    with scratch() as folder:
        os.mkdir(os.path.join(folder, "Bad"))
        with open(os.path.join(folder, "Bad", "package.mo"), "w") as file:
            file.write("package Bad\n  model M\n    Real x = nothing;\n  end M;\nend Bad;\n")
        result = check_exit(run_text("show", "model A Bad.M m; end A;", "--library", folder), 3)
        contains(result.err,
                 os.path.join("Bad", "package.mo") + ":3:14: error: unknown name 'nothing'")


def test_conditions_may_stand_in_subscripts():
    text = """model I
  model P parameter Real k = 1; Real y = k*time; end P;
  parameter Boolean b = true;
  P p[3](k = {1, 2, 3});
  Real z = p[if b then 3 else 1].y + sum({p[if not b then 3 elseif b then 2 else 1].y, 1});
end I;
"""
    contains(show(text), "z = p[2].y + p[3].y + 1")


RING = """model Ring
  type Angle extends Real;
    function equalityConstraint input Angle a; input Angle b; output Real r[0]; algorithm
    end equalityConstraint;
  end Angle;
  connector P Real v; flow Real i; Angle th; end P;
  model Line P a, b; equation
    Connections.branch(a.th, b.th); a.th = b.th; a.v - b.v = a.i; a.i + b.i = 0; end Line;
  model Gen P p; parameter Boolean first = false; Boolean leads = Connections.isRoot(p.th);
  equation
    Connections.potentialRoot(p.th, if first then 0 else 1);
    if Connections.isRoot(p.th) then p.th = time; end if; p.v = 1; end Gen;
  Line l[3]; Gen g, h(first = true);
equation
  for i in 1:2 loop connect(l[i].b, l[i + 1].a); end for;
  connect(l[3].b, l[1].a); connect(g.p, l[1].a); connect(h.p, l[2].a);
end Ring;
"""


def test_a_condition_may_give_the_priority_of_a_root():
    out = show(RING)
    contains(out, "g.leads = false")
    contains(out, "h.leads = true")
    contains(out, "h.p.th = time")
    assert "g.p.th = time" not in out, out


def test_an_array_of_an_overdetermined_type_is_one_node():
    """A loop of reference angles theta[2], as libraries of power systems have them."""
    text = (RING.replace("Angle th;", "Angle th[2];").replace("p.th = time", "p.th = {1, time}")
            .replace("input Angle a; input Angle b;", "input Angle a[:]; input Angle b[:];"))
    out = show(text)
    contains(out, "h.p.th[2] = time")
    assert "g.p.th[2] = time" not in out, out
    result = check_exit(run_text("simulate", text, "--stop", "1", "--intervals", "1"), 0)
    names, *rows = [line.split(",") for line in result.out.splitlines()]
    equal(rows[-1][names.index('"l[3].b.th[2]"')], "1")


def test_sizes_of_records_come_from_functions():
    """L[n,n] of a record whose n a function gives: the interpreter, the type of the function's
    local and the constructor know it."""
    text = """package P
  record Coef parameter Integer n; Real[n,n] L; Real[n] R; end Coef;
  record Par parameter Integer n = 2; parameter Real x = 3; end Par;
  function make input Par p; output Coef c(n = p.n); protected Real[p.n + 1] z; algorithm
    z := p.x*(1:p.n + 1); c.L := p.x*identity(p.n); c.R := z[1:end - 1]; end make;
  model B parameter Par par; final parameter Integer n = par.n; final parameter Coef c = %s;
    Real x[n](each start = 1, each fixed = true); equation der(x) = -(c.L*x + c.R); end B;
  model M B b(par(n = 3)); end M;
end P;"""
    made = check_exit(run_text("simulate", text % "make(par)", "--stop", "1"), 0)
    same = "Coef(n = 3, L = 3*identity(3), R = {3, 6, 9})"
    equal(made.out, check_exit(run_text("simulate", text % same, "--stop", "1"), 0).out)
    contains(made.out.splitlines()[0], '"b.x[3]"')


def test_sizes_of_records_whose_value_is_not_known():
    """A recursion that translation does not follow to its end leaves sizes: both branches have the
    same, and a function those that its result begins with."""
    out = show("""package P
  record F parameter Real v[:](each min = 0); parameter Real w[:]; end F;
  record G
    parameter F p(v = deep(100)*{0, 1, 2}, w = {1, 2, 3}); parameter Boolean have = sum(p.v) > 1;
  end G;
  function deep input Integer n; output Real y; algorithm
    y := if n <= 0 then 7 else deep(n - 1); end deep;
  function curve input Real x; output F c(v = {1, 2, 3, 4}, w = zeros(4)); algorithm
    for i in 1:4 loop c.w[i] := if x > i then deep(100) else i; end for; end curve;
  model E parameter G per; parameter Real s = per.p.v[end]; end E;
  model M
    parameter G per; E e(per(p = if per.have then per.p else F(v = {1, 1, 1}, w = zeros(3))));
    parameter F k = curve(3); Real x = time*size(k.w, 1) + size(e.per.p.v, 1);
  end M;
end P;""")
    contains(out, "x = 4*time + 3;")
    contains(out, "parameter Real k.w[2] = 7;")


def test_classes_in_files_of_their_own_are_inherited():
    """Small.Electrical is a folder: Resistor and the others are files."""
    out = show("""model M
  package E = Small.Electrical; E.Resistor r(R = 2); D.Ground g; D.Twice s;
  package D extends Small.Electrical; model Twice = Source(V = 3); end D;
equation
  connect(r.p, s.p); connect(r.n, g.p); connect(s.n, g.p);
end M;""", "--model", "M")
    contains(out, "parameter Real r.R(unit = \"Ohm\", min = 0) = 2;")
    contains(out, "s.v = s.V;")


def test_arrays_of_array_types_in_functions():
    out = show("""package P type Pair = Real[2];
  function f input Real u[:]; output Real y; protected Pair[size(u, 1)] q; algorithm
    for k in 1:size(u, 1) loop q[k, :] := {u[k], 1}; end for; y := q[1, :]*q[2, :]; end f;
  model M Real x; equation x = f({time, 3}); end M; end P;""")
    contains(out, "x = 3*time + 1")


def test_open_sizes_of_records_in_functions():
    out = show("""package P
  record Fl parameter Real V[:]; parameter Real dp[size(V, 1)]; end Fl;
  function last input Fl f; output Real y; algorithm
    y := f.V[end]*f.dp[1] + size(f.V, 1); end last;
  model N parameter Fl f; Real x; equation x = last(f)*time; end N;
  model K N n(f(V = {1, 2}, dp = {3, 4})); N m(f(V = {1, 2, 3}, dp = {3, 4, 5})); end K;
end P;""")
    contains(out, "n.x = time*(n.f.V[2]*n.f.dp[1] + 2)")
    contains(out, "m.x = time*(m.f.V[3]*m.f.dp[1] + 3)")


def test_enumerations_fill_arrays_and_give_levels():
    out = show("""model M type E = enumeration(a, b); model F parameter E e = E.a; Real x; equation
    x = if e == E.b then 2 else 1; end F; F f[2](e = fill(E.b, 2)); Real y; Real z;
    parameter AssertionLevel l = AssertionLevel.warning;
  equation y = f[2].x; z = time; assert(z < 1, "large", l); end M;""")
    contains(out, "AssertionLevel.warning")
    contains(out, "f[2].x = 2")


OUTER_CLASSES = """package P
  partial function pf input Real u; output Real y; end pf;
  function g extends pf; algorithm y := 2*u; end g;
  function h extends pf; algorithm y := 3*u; end h;
  model One Real y = 1; end One;
  model Two Real y = 2*time; end Two;
  model B
    outer function f = pf;
    outer model X = One;
    X x;
    Real y = f(time);
  end B;
  model Mid B b; end Mid;
  model M inner function f = h; inner model X = Two; Mid m; B b; end M;
  model Nested inner function f = g; M m; B b; end Nested;
end P;"""


def test_outer_classes_are_the_inner_ones_around_them():
    out = show(OUTER_CLASSES, "--model", "P.M")
    for line in ("m.b.x.y = 2*time", "m.b.y = 3*time", "b.x.y = 2*time", "b.y = 3*time"):
        contains(out, line)
    out = show(OUTER_CLASSES, "--model", "P.Nested")
    for line in ("m.m.b.y = 3*time", "m.b.y = 3*time", " b.y = 2*time", " b.x.y = 1"):
        contains(out, line)


def test_outer_classes_without_an_inner_one_are_told_once_each():
    text = OUTER_CLASSES.replace("end P;", "model N B b; B c; end N; end P;")
    result = check_exit(run_text("show", text, "--model", "P.N"), 3)  # f is partial
    assert result.err.count("there is no inner 'f' for this outer class") == 1, result.err
    text = text.replace("outer function f = pf", "outer function f = g")
    result = check_exit(run_text("show", text, "--model", "P.N"), 0)
    assert result.err.count("there is no inner 'f' for this outer class") == 1, result.err
    assert result.err.count("there is no inner 'X' for this outer class") == 1, result.err
    assert ":9:17: warning" in result.err and ":8:20: warning" in result.err, result.err
    contains(result.out, "c.y = 2*time")
    result = check_exit(run_text("show", OUTER_CLASSES, "--model", "P.M"), 0)
    assert "warning" not in result.err, result.err


def test_operators_of_records_that_only_variables_have():
    """No signature of a function that is called names the record."""
    text = """package P
  operator record C
    Real re; Real im;
    encapsulated operator '+'
      import P.C;
      function add input C a; input C b; output C c;
      algorithm c := C(a.re + b.re, a.im + b.im); end add;
    end '+';
    encapsulated operator function '*'
      import P.C;
      input C a; input C b; output C c;
    algorithm c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end '*';
  end C;
  model M
    C a(re = time, im = 1), b(re = 2, im = 3), c, d;
  equation
    c = a + b;
    d = a*b;
  end M;
end P;"""
    out = check_exit(run_text("simulate", text, "--model", "P.M", "--stop", "1", "--intervals",
                              "1"), 0).out
    equal(out.splitlines()[-1], "1,1,1,2,3,3,4,-1,5")


def test_a_connect_with_what_is_absent_says_nothing_of_subscripts():
    text = """package P
  connector In = input Real;
  connector Out = output Real;
  model S parameter Integer n = 1; In u[n]; Real y = sum(u); end S;
  model G Out y = time; end G;
  model A
    parameter Boolean has = %s;
    S s(n = if has then 2 else 1);
    G g;
    G h if %s;
  equation
    connect(s.u[1], g.y);
    connect(%s);
  end A; end P;"""
    for pair in ("s.u[2], h.y", "h.y, s.u[2]"):
        one = check_exit(run_text("show", text % ("false", "has", pair)), 0).out
        equal("h.y" in one, False)
        contains(check_exit(run_text("show", text % ("true", "has", pair)), 0).out, "h.y")
        failed = check_exit(run_text("show", text % ("false", "true", pair)), 3)
        contains(failed.err, "error: subscript 2 of 's.u' is outside 1:1")


main(globals())
