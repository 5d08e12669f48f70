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


NETWORK = """model A
  import Small.Streams.*;
  Boundary one(p = 3, h = 10), two(p = 2, h = 40), sink(p = 0, h = 7);
  Pipe p1, p2, p3(k = 2), dead;
  TwoPipes pair;
  Sensor sensor;
equation
  connect(one.port, p1.a); connect(two.port, p2.a);
  connect(p1.b, p3.a); connect(p2.b, p3.a); connect(p3.a, sensor.port);
  connect(p3.b, pair.a); connect(pair.b, sink.port);
  connect(p3.a, dead.a);
end A;
"""


def test_streams_mix_where_several_meet():
    last = simulate(NETWORK, "--stop", "1")
    close(last["p3.a.m"], 1.25)
    mixed = (1.125*10 + 0.125*40)/1.25
    for name in ["p3.h", "p3.actual", "pair.first.h", "pair.second.h", "pair.middle.h", "sensor.h", "dead.h", "pair.b.h"]:
        close(last[name], mixed)
    close(last["pair.b.c[1]"], mixed/10)
    close(last["p3.b.c[2]"], mixed/100)
    close(last["p1.b.h"], 10)


def test_two_streams_are_exchanged_exactly():
    out = show(NETWORK)
    contains(out, "  one.port.'inStream(h)' = p1.a.h;\n  p1.a.'inStream(h)' = one.port.h;\n")  # two insides
    contains(out, "  pair.b.h = pair.second.b.h;\n")  # one inside, one outside
    contains(out, "  pair.second.b.'inStream(h)' = pair.b.'inStream(h)';\n")
    contains(out, "  dead.b.'inStream(h)' = dead.b.h;\n")  # not connected


def test_who_never_sends_is_left_out():
    text = "model A import Small.Streams.*; Boundary b(p = 1, h = 3), c; Pipe p, q(isOneWay = true); Sensor s; equation " \
           "connect(b.port, p.a); connect(p.b, q.a); connect(p.b, s.port); connect(q.b, c.port); end A;"
    out = show(text)
    contains(out, "  q.a.'inStream(h)' = p.b.h;\n")
    contains(out, "  p.b.'inStream(h)' = p.b.h;\n")  # neither the sensor nor the pipe that flows one way
    assert "max(" not in out
    close(simulate(text, "--stop", "1")["s.h"], 3)


def test_streams_of_arrays_of_connectors():
    text = "model A import Small.Streams.*; Volume v; Boundary b(p = 1.5, h = 8), c(p = 0, h = 1); Pipe p, q(k = 2); equation " \
           "connect(b.port, p.a); connect(p.b, v.ports[1]); connect(v.ports[2], q.a); connect(q.b, c.port); end A;"
    last = simulate(text, "--stop", "2", "--rtol", "1e-8")
    close(last["v.h"], 8*(1 - 2.718281828459045**-2), 1e-5)  # der(h) = 8 - h
    close(last["v.into[2]"], 1)
    close(last["v.c[1]"], 0.8)


def test_mistakes_with_streams():
    port = "connector Port Real p; flow Real m; stream Real h; end Port; "
    for text, message in [
        (port + "model B Port a; Real y = inStream(a.p); end B; model A B b; end A;", "is a stream variable of a connector"),
        (port + "model B Port a; Real y = actualStream(2*a.h); end B; model A B b; end A;", "is a stream variable of a connector"),
        ("connector Port Real p; stream Real h; end Port; model B Port a, c; equation connect(a, c); end B; model A B b; end A;",
         "must have one scalar flow"),
    ]:
        result = check_exit(run_text("show", text), 3)
        contains(result.err, message)


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
