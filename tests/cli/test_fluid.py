"""Media, streams and what else fluid systems need. The libraries are Small.Media and Small.Streams in tests/library."""

from harness import ROOT, check_exit, contains, main, run_text

LIBRARY = str(ROOT / "tests" / "library")


def show(text, *options):
    return check_exit(run_text("show", text, "--library", LIBRARY, *options), 0).out


def simulate(text, *options):
    """The last row by name."""
    out = check_exit(run_text("simulate", text, "--library", LIBRARY, "--intervals", "4", *options), 0).out
    lines = out.splitlines()
    names = [name.strip('"') for name in lines[0].split(",")]
    return dict(zip(names, (float(x) for x in lines[-1].split(","))))


def close(value, wanted, tolerance=1e-6):
    assert abs(value - wanted) <= tolerance * max(1, abs(wanted)), (value, wanted)


MEDIA = """model A
  Small.Media.Heated a(redeclare package Medium = Small.Media.Linear);
  Small.Media.HeatedMixture b;
end A;
"""


def test_a_medium_is_a_package_that_redeclares():
    out = show(MEDIA)
    contains(out, '  Real a.base.T(unit = "K", min = 272.15, start = 300);\n')
    contains(out, "  b.base.state.X[2] = 1 - b.base.Xi[1];\n")
    last = simulate(MEDIA, "--stop", "10")
    close(last["a.h"], 4*310)
    close(last["b.h"], (0.25 + 3*0.75)*310)
    close(last["a.twice"], 8*310)
    close(last["b.twice"], 4*310)


def test_constants_whose_functions_use_constants():
    last = simulate(MEDIA, "--stop", "10")
    close(last["a.Tmin"], 272.15)
    close(last["a.hd"], 1200)
    close(last["b.hd"], 600)


def test_ranges_as_subscripts_of_components():
    text = "model B parameter Integer n = 3; Real x[n]; Real y[n - 1]; Real z[2]; equation " \
           "x = {time, 2, 3}; y = x[1:n - 1]; z = x[n - 1:end]; end B; model A B b; B c[2]; Real s[2] = c[1].x[2:3]; end A;"
    out = show(text)
    for line in ["b.y[1] = b.x[1]", "b.y[2] = b.x[2]", "b.z[1] = b.x[2]", "b.z[2] = b.x[3]", "s[1] = c[1].x[2]", "s[2] = c[1].x[3]"]:
        contains(out, line)


def test_parameters_from_initial_algorithms():
    text = "model B parameter Real a = 3; parameter Real k(fixed = false); Real x(start = 1, fixed = true); " \
           "initial algorithm k := a; k := k + 1; equation der(x) = -k*x; end B; model A B b; end A;"
    close(simulate(text, "--stop", "1", "--rtol", "1e-8")["b.x"], 0.018315638888734179, 1e-5)
    result = check_exit(run_text("show", "model A parameter Real k = 1; Real x; algorithm k := 2; equation x = 1; end A;"), 3)
    contains(result.err, "'k' cannot be assigned")
    result = check_exit(run_text("show", "model A parameter Real k(fixed = false); algorithm k := 2; end A;"), 3)
    contains(result.err, "'k' cannot be assigned")


def test_the_name_of_an_instance():
    text = 'model B Real x = 1; equation assert(x > 2 + time, getInstanceName() + ": low"); end B; model C B b; end C; model A C c; end A;'
    result = check_exit(run_text("simulate", text), 5)
    contains(result.err, "A.c.b: low")


main(globals())
