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
    ("model A B b; end A; model B A a; end B; model M A a; end M;", "1:11", "without end"),
    ("model M extends M; end M;", "1:17", "go round in a circle"),
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
    ("partial model A Real x; end A; model M A a, b; end M;", "1:40", "'A' is partial"),
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
]


def test_each_has_its_place_and_one_message():
    for text, place, message in MISTAKES:
        result = check_exit(run_text("show", text, "--library", LIBRARY, "--model", "M"), 3)
        contains(result.err, f"<stdin>:{place}: error: ")
        contains(result.err, message)
        if ", b(q = 4)" not in text:
            equal(result.err.count(": error: "), 1)


def test_a_missing_inner_is_made_with_a_warning():
    text = "model I outer Real T0; Real x = T0; end I; model M I i; end M;"
    result = check_exit(run_text("show", text, "--model", "M"), 0)
    contains(result.err, "there is no inner 'T0' for this outer; one is made at the top")


main(globals())
