"""Mistakes in models with components: one cause, one message, at the place where it was made."""

from harness import ROOT, check_exit, contains, equal, main, run_text

LIBRARY = str(ROOT / "tests" / "library")
MISTAKES = [
    ("model M Small.Electrical.Resistr r; end M;", "1:9", "did you mean 'Resistor'?"),
    ("model M Small.Electrical.Resistor r(RR = 2); end M;", "1:37", "'r' has no element 'RR'"),
    ("model M Small.Electrical.Resistor r(R(strt = 2)); end M;", "1:39",
     "'r.R' has no attribute 'strt'; did you mean 'start'?"),
    ("model M Small.Electrical.Resistor r(R = 1, R = 2); end M;", "1:44",
     "'R' is modified twice in this list"),
    ("model M Small.Electrical.Resistor r; Small.Thermal.Ambient a; "
     "equation connect(r.p, a.port); end M;", "1:72", "'r.p' and 'a.port' do not fit"),
    ("model M connector C Real x; flow Real f; end C; connector D Real x; flow Real f; Real more; "
     "end D; C c; D d; equation connect(c, d); end M;", "1:119", "only 'd' has 'more'"),
    ("model M Small.Electrical.Resistor r; equation connect(r.p, r); end M;", "1:60",
     "'r' is no connector"),
    ("model M Small.Electrical.Resistor r[2], q[3]; equation connect(r.p, q.p); end M;", "1:56",
     "arrays of 2 and 3 connectors"),
    ("model A B b; end A; model B A a; end B; model M A a; end M;", "1:31", "without end"),
    ("model M extends M; end M;", "1:17", "form a cycle"),
    ("model A Real x = 1; end A; model B Real y = 1; end B; model C replaceable A a; end C;\n"
     "model M C c(redeclare B a); end M;", "2:25", "outside its constraint: there is no 'x'"),
    ("partial package Q constant Real c; end Q; package P1 constant Real d = 1; end P1;\n"
     "model C replaceable package P = Q; Real x = P.c; end C;\n"
     "model M C c(redeclare package P = P1); end M;", "3:31",
     "redeclared outside its constraint: there is no 'c' in it"),
    ("model A final parameter Real q = 2; Real x = q; end A; model M A a(q = 3), b(q = 4); end M;",
     "1:68", "'q' is final"),
    ("model B Real x; Real x; equation x = 1; end B; model M B b[3]; end M;", "1:22",
     "'x' is declared twice in this class"),
    ("model M Small.Electrical.Resistor r, q; equation r.p = q.p; end M;", "1:50",
     "'r.p' is a connector, it has no value: connect(...) joins connectors"),
    ("model A Real x = 1; end A; model M A a; Real y = 2*a; end M;", "1:52",
     "'a' is a component of a model or block: it has no value"),
    ("model M Small.Electrical.Resistor r[3]; equation for i in 1:3 loop connect(r[i].n, "
     "r[i + 1].p); end for; end M;", "1:84", "subscript 4 of 'r' is outside 1:3"),
    ("partial model A Real x; end A; model M A a, b; end M;", "1:40", "'A' is partial"),
    ("model A Real x = 1; end A; model B extends A; redeclare Real y = 2; end B; "
     "model M B b; end M;", "1:62", "there is no inherited 'y' to redeclare"),
    ("model A Real x = 1; end A; model B extends A; redeclare model C = A; end B; "
     "model M B b; end M;", "1:63", "there is no inherited 'C' to redeclare"),
    ("package P end P; model M P p; end M;", "1:26", "'P' is a package or a function"),
    ("connector I = input Real; connector O = output Real; block A O y = 1; end A; "
     "block S I u; Real z = u; end S; model M A a, b; S s;\n"
     "equation connect(a.y, s.u);\n connect(b.y, s.u); end M;", "3:2",
     "'a.y' and 'b.y' both give this signal"),
    ("connector I = input Real; connector O = output Boolean; block A O y = true; end A; "
     "block S I u; end S; model M A a; S s;\nequation connect(a.y, s.u); end M;", "2:10",
     "'a.y' and 's.u' have different types: Boolean and Real"),
    ("model M parameter Boolean b; Real x if b; end M;", "1:40", "has no value that is known"),
    ("model M import Small.Nowhere.X; Real x = 1; end M;", "1:16", "to import"),
    ("model M Real x = Small.twise(2); end M;", "1:18", "did you mean 'twice'?"),
    ("model A Real x = 1; end A; model M A a = 3; end M;", "1:38",
     "'a' is no variable and no record"),
    ("model A parameter Integer n = 1; Real x[n] = ones(n); end A;\n"
     "model M A a(n = 2.5); end M;", "2:13", "'a.n' is Integer, its value is Real"),
    ("model A parameter Real n = 1; Real x = n; end A;\nmodel M A a[3](n = {1, 2}); end M;",
     "2:16", "the value of 'n' has size [2], but 'a' has the elements [3]"),
    ("model A parameter Real n = 1; Real x = n; end A;\nmodel M A a[3](n = 2); end M;", "2:16",
     "one value of 'n' for the elements of 'a[3]': write each, or an array"),
    ("model A protected Real x = 1; end A;\nmodel M A a; Real y = a.x; end M;", "2:23",
     "'x' is protected"),
    ("model A protected parameter Real p = 1; Real x = p; end A;\nmodel M A a(p = 2); end M;",
     "2:13", "'p' is protected: it cannot be modified from outside"),
    ("connector C Real e; flow Real f; end C; model A protected C c; equation c.e = 1; end A;\n"
     "model M A a, b; equation connect(a.c, b.c); end M;", "2:34", "'c' is protected"),
    ("model A Real x = 1; end A; model B extends A; Real y = 2; end B; model C A a; end C;\n"
     "model M C c(redeclare B a); end M;", "2:25", "'a' is not replaceable"),
    ("model A Real x = 1; end A; model B Integer x = 1; end B;\n"
     "model M extends A; extends B; end M;", "2:28", "'x' is inherited as well, and not the same"),
    ("package P constant Real c = 1; end P; package Q constant Real c = 2; end Q;\n"
     "model A import P.*; import Q.*; Real x = c; end A; model M A a; end M;", "2:28",
     "'c' is in this package and in one imported before"),
    ("package P constant Real c = 1; end P; package Q constant Real c = 2; end Q;\n"
     "model A import P.c; import Q.c; Real x = c; end A; model M A a; end M;", "2:28",
     "'c' is imported twice"),
    ("package P model A Real x = 1; end A; encapsulated model B A a; end B; end P;\n"
     "model M P.B b; end M;", "1:59", "'B' is encapsulated, so that it has to be imported"),
    ("model I outer Real T = 3; Real x = T; end I;\nmodel M inner Real T = 1; I i; end M;",
     "1:20", "'T' is outer: its value is that of the inner one"),
    ("model I outer Real T; Real x = T; end I;\nmodel M inner Integer T = 1; I i; end M;", "1:20",
     "the inner 'T' has another type"),
    ("model A Real x = 1; end A; model B Real y = 1; end B;\n"
     "model I outer A a; Real z = a.x; end I; model M inner B a; I i; end M;", "2:17",
     "the inner 'a' does not fit this outer: it has no 'x'"),
    ("connector C Real e; flow Real f; end C;\n"
     "model M C c, d; equation when time > 1 then connect(c, d); end when; end M;", "2:45",
     "connect in a when-equation"),
    ("connector C Real e; flow Real f; end C;\nmodel M C c, d; Real x = time;\n"
     "equation if x > 1 then connect(c, d); end if; end M;", "3:24",
     "connect in an if-equation whose condition is not known"),
    ("model A parameter Real q = 1; Real x = q; end A; model B extends A(final q = 2); end B;\n"
     "model M B b(q = 3); end M;", "2:13", "'q' is final: it cannot be modified"),
    ("model A Real x = 1; end A;\nmodel M replaceable model X = A; extends X; end M;", "2:42",
     "'X' is replaceable: no class can extend it"),
    ("model A parameter Real p = 1; end A;\nmodel M extends A(q = 2); end M;", "2:19",
     "'A' has no element 'q'"),
    ("model A parameter Real p = 1; Real x = p; end A; model B = A(pp = 2);\n"
     "model M B b; end M;", "1:62", "'A' has no element 'pp'"),
    ("package P model A Real x = 1; end A; end P;\nmodel B Real y = P.A.x; end B; "
     "model M B b; end M;", "2:18", "'x' is no constant"),
    ("model S end S; model M S a; equation initialState(a); end M;", "1:38",
     "not supported yet: state machines, 'initialState'"),
    ("connector C Real e[2]; flow Real f[2]; end C; connector D Real e[3]; flow Real f[3]; "
     "end D;\nmodel M C c; D d; equation connect(c, d); end M;", "2:28",
     "'e' has 2 elements there and 3 here"),
    ("model A Real x = 1; end A;\nmodel M A a if 1; end M;", "2:16",
     "the condition of 'a' is not Boolean"),
    ("model Base Real x = 1; end Base;\nmodel M extends Bse; end M;", "2:17",
     "did you mean 'Base'?"),
    ("connector C Real e; flow Real f; end C; model A C left, right; end A;\n"
     "model M A a, b; equation connect(a.left, b.rigth); end M;", "2:42",
     "'b' has no connector 'rigth'; did you mean 'right'?"),
    ("model M Pumps.Small p; end M;", "1:9", "there is no class 'Pumps'; if it is a library, "
     "--library or MODELICAPATH has to lead to it"),
    ("connector C Real e; flow Real f; end C; model A C p; end A;\n"
     "model M A a, b; equation connect(a.p, bb.p); end M;", "2:39",
     "there is no connector 'bb' here; did you mean 'b'?"),
    ("model A parameter Real R = 1; end A;\nmodel M A a(Rr = 2); end M;", "2:13",
     "'a' has no element 'Rr'; did you mean 'R'?"),
    ("package P connector C Real e; flow Real f; end C; connector D Real t; flow Real f; end D;\n"
     "model M C c; D d; equation connect(c, d); end M; end P;", "2:28",
     "'c' and 'd' do not fit (P.C and P.D): only 'c' has 'e'"),
    ("package P connector C Real e; flow Real f; end C; connector D = output Real;\n"
     "model M C c; D d; equation connect(c, d); end M; end P;", "2:28",
     "'c' and 'd' are connectors of different types (P.C and P.D)"),
    ("package P partial package Medium replaceable partial model State Real p; end State; end "
     "Medium; model Box replaceable package W = Medium; W.State state; end Box;\n"
     "model Room Box box; end Room; model M Room room(box(redeclare package W = Medium)); end M; "
     "end P;", "2:16",
     "'room.box' has no complete package 'W': 'Medium' is partial; choose one by (redeclare "
     "package W = ...)"),
    ("connector C Real e; flow Real f; end C; model A C c; end A;\n"
     "model M A a, b; equation connect(a.c.e, b.c.e); end M;", "2:34",
     "'a.c.e' is no connector"),
    ("model A Real x = 1; end A; model B A a; end B;\n"
     "model M extends B(redeclare A a);\nend N;", "3:5", "expected 'end M', found 'N'"),
    ("model A Real x = 1; end A; model M A a; Unknown u\nend M;", "1:49", "expected ';'"),
]


def test_each_has_its_place_and_one_message():
    for text, place, message in MISTAKES:
        result = check_exit(run_text("show", text, "--library", LIBRARY, "--model", "M"), 3)
        contains(result.err, f"<stdin>:{place}: error: ")
        contains(result.err, message)
        if ", b(q = 4)" not in text:
            equal(result.err.count(": error: "), 1)


def test_a_wrong_value_of_a_size_is_told_once():
    """What a size is computed from is the mistake, not the size."""
    model = "model M parameter Integer n = 2; Real x[n]; equation x = ones(n); end M;"
    for value, message in (("2.5", "parameter 'n' is Integer, its value is Real"),
                           ("true", "parameter 'n' is Integer, its value is Boolean"),
                           ("1/0", "division by zero")):
        result = check_exit(run_text("analyze", model, "--set", f"n={value}"), 2)
        contains(result.err, f"--set n={value}: {message}")
        assert "is not known" not in result.err, result
    result = check_exit(run_text("analyze", model.replace("n = 2;", "n = 2.5;")), 3)
    equal(result.err.count(": error: "), 1)
    contains(check_exit(run_text("analyze", model.replace("n = 2;", "n;")), 3).err,
             "the size of 'x' is not known")


def test_a_missing_inner_is_made_with_a_warning():
    text = "model I outer Real T0; Real x = T0; end I; model M I i; end M;"
    result = check_exit(run_text("show", text, "--model", "M"), 0)
    contains(result.err, "there is no inner 'T0' for this outer, 'i.T0'; one is made at the top")


main(globals())
