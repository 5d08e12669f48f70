"""Media, streams and what else fluid systems need. The libraries are Small.Media and
Small.Streams in tests/library."""

from harness import ROOT, check_exit, contains, equal, main, run_text

LIBRARY = str(ROOT / "tests" / "library")


def show(text, *options):
    return check_exit(run_text("show", text, "--library", LIBRARY, *options), 0).out


def simulate(text, *options):
    """The last row by name."""
    out = check_exit(run_text("simulate", text, "--library", LIBRARY, "--intervals", "4",
                              *options), 0).out
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
    for name in ["p3.h", "p3.actual", "pair.first.h", "pair.second.h", "pair.middle.h",
                 "sensor.h", "dead.h", "pair.b.h"]:
        close(last[name], mixed)
    close(last["pair.b.c[1]"], mixed/10)
    close(last["p3.b.c[2]"], mixed/100)
    close(last["p1.b.h"], 10)


def test_two_streams_are_exchanged_exactly():
    out = show(NETWORK)
    # two insides
    contains(out, "  one.port.'inStream(h)' = p1.a.h;\n  p1.a.'inStream(h)' = one.port.h;\n")
    contains(out, "  pair.b.h = pair.second.b.h;\n")  # one inside, one outside
    contains(out, "  pair.second.b.'inStream(h)' = pair.b.'inStream(h)';\n")
    contains(out, "  dead.b.'inStream(h)' = dead.b.h;\n")  # not connected


def test_who_never_sends_is_left_out():
    text = ("model A import Small.Streams.*; Boundary b(p = 1, h = 3), c; "
            "Pipe p, q(isOneWay = true); Sensor s; equation "
            "connect(b.port, p.a); connect(p.b, q.a); connect(p.b, s.port); "
            "connect(q.b, c.port); end A;")
    out = show(text)
    contains(out, "  q.a.'inStream(h)' = p.b.h;\n")
    # neither the sensor nor the pipe that flows one way
    contains(out, "  p.b.'inStream(h)' = p.b.h;\n")
    assert "max(" not in out
    close(simulate(text, "--stop", "1")["s.h"], 3)


def test_streams_of_arrays_of_connectors():
    text = ("model A import Small.Streams.*; Volume v; "
            "Boundary b(p = 1.5, h = 8), c(p = 0, h = 1); Pipe p, q(k = 2); equation "
            "connect(b.port, p.a); connect(p.b, v.ports[1]); connect(v.ports[2], q.a); "
            "connect(q.b, c.port); end A;")
    last = simulate(text, "--stop", "2", "--rtol", "1e-8")
    close(last["v.h"], 8*(1 - 2.718281828459045**-2), 1e-5)  # der(h) = 8 - h
    close(last["v.into[2]"], 1)
    close(last["v.c[1]"], 0.8)


def test_mistakes_with_streams():
    port = "connector Port Real p; flow Real m; stream Real h; end Port; "
    for text, message in [
        (port + "model B Port a; Real y = inStream(a.p); end B; model A B b; end A;",
         "is a stream variable of a connector"),
        (port + "model B Port a; Real y = actualStream(2*a.h); end B; model A B b; end A;",
         "is a stream variable of a connector"),
        ("connector Port Real p; stream Real h; end Port; model B Port a, c; "
         "equation connect(a, c); end B; model A B b; end A;",
         "must have one scalar flow"),
    ]:
        result = check_exit(run_text("show", text), 3)
        contains(result.err, message)


def test_ranges_as_subscripts_of_components():
    text = ("model B parameter Integer n = 3; Real x[n]; Real y[n - 1]; Real z[2]; equation "
            "x = {time, 2, 3}; y = x[1:n - 1]; z = x[n - 1:end]; end B; model A B b; B c[2]; "
            "Real s[2] = c[1].x[2:3]; end A;")
    out = show(text)
    for line in ["b.y[1] = b.x[1]", "b.y[2] = b.x[2]", "b.z[1] = b.x[2]", "b.z[2] = b.x[3]",
                 "s[1] = c[1].x[2]", "s[2] = c[1].x[3]"]:
        contains(out, line)


def test_parameters_from_initial_algorithms():
    text = ("model B parameter Real a = 3; parameter Real k(fixed = false); "
            "Real x(start = 1, fixed = true); "
            "initial algorithm k := a; k := k + 1; "
            "equation der(x) = -k*x; end B; model A B b; end A;")
    close(simulate(text, "--stop", "1", "--rtol", "1e-8")["b.x"], 0.018315638888734179, 1e-5)
    result = check_exit(run_text("show", "model A parameter Real k = 1; Real x; "
                                 "algorithm k := 2; equation x = 1; end A;"), 3)
    contains(result.err, "'k' cannot be assigned")
    result = check_exit(run_text("show", "model A parameter Real k(fixed = false); "
                                 "algorithm k := 2; end A;"), 3)
    contains(result.err, "'k' cannot be assigned")


LEAST = """function least
  input Real A[:, :];
  input Real b[size(A, 1)];
  output Real x[max(size(A, 1), size(A, 2))] = cat(1, b, zeros(max(nrow, ncol) - nrow));
  output Integer info;
  output Integer rank;
protected
  Integer nrow = size(A, 1);
  Integer ncol = size(A, 2);
  Integer nx = max(nrow, ncol);
  Real rcond = 1e-10;
  Integer lwork = 10;
  Real work[10];
  Real Awork[size(A, 1), size(A, 2)] = A;
  Integer jpvt[size(A, 2)] = zeros(ncol);
  external "FORTRAN 77" dgelsy(nrow, ncol, 1, Awork, nrow, x, nx, jpvt, rcond, rank, work,
    lwork, info);
end least;
function fit
  input Real A[:, :];
  input Real b[size(A, 1)];
  output Real x[size(A, 2)];
protected
  Real xx[max(size(A, 1), size(A, 2))];
  Integer info;
  Integer rank;
algorithm
  (xx, info, rank) := least(A, b);
  x := xx[1:size(A, 2)];
end fit;
model B
  parameter Real line[:] = fit([1, 0; 1, 1; 1, 2; 1, 3], {1, 3, 5, 7}) "a fit";
  parameter Real flat[:] = fit([1, 1; 1, 1; 2, 2], {2, 2, 4}) "least norm of rank 1";
  parameter Real wide[:] = fit([1, 2, 2], {9});
  parameter Real best[:] = fit([1, 0; 1, 1; 1, 2], {0, 0, 3});
  Real y[10] = cat(1, line, flat, wide, best, {time});
end B;
model A
  B b;
end A;
"""


def test_least_squares_and_locals_that_use_later_ones():
    last = simulate(LEAST, "--stop", "1")
    for k, wanted in enumerate([1, 2, 1, 1, 1, 2, 2, -0.5, 1.5]):
        close(last[f"b.y[{k + 1}]"], wanted, 1e-12)


RECORDS = """record R
  parameter Real a = 2;
  Real b[2](start = {3, 4});
  Real c = 5;
end R;
model B
  parameter Integer n = 3;
  R r[n](each c = time, b = {{1, 2}, {3, 4}, {5, 6}});
  R none[0];
  constant R fixed[2](each a = 7, b = {{1, 2}, {3, 4}}, c = {8, 9});
  Real x = fixed[2].c + fixed[1].a;
end B;
model A B b; end A;
"""


def test_values_given_once_for_an_array_of_records():
    out = show(RECORDS)
    for line in ["b.r[3].a = 2", "b.r[2].c = time", "b.r[3].b[2](start = 4) = 6",
                 "b.fixed[2].a = 7", "b.x = 16"]:
        contains(out, line)
    # a value that depends on other members is another one in each element
    text = ("record R Real a; Real b; Real c = a*b; end R; "
            "model B R r[2](a = {1, 2}, b = {3, 4}); end B; model A B b; end A;")
    out = show(text)
    contains(out, "b.r[1].c = b.r[1].a*b.r[1].b")
    contains(out, "b.r[2].c = b.r[2].a*b.r[2].b")
    flat = ("record R Real a; Real b; Real c = a*b; end R; "
            "model A R r[2](a = {1, 2}, b = {3, 4}); end A;")
    contains(show(flat), "r[2].c = r[2].a*r[2].b")


def test_fill_takes_arrays():
    out = show("model B parameter Real a[2] = {1, 2}; Real x[3, 2] = fill(a, 3); "
               "Real y[2, 1, 2] = fill({time, 1}, 2, 1); end B; model A B b; end A;")
    contains(out, "b.x[3,2] = b.a[2]")
    contains(out, "b.y[2,1,1] = time")


def test_an_error_on_some_path_is_an_assertion():
    function = ('function stop input String s; external "C" ModelicaError(s); end stop; '
                'function check input Real u; output Real y; algorithm if u > 2 then stop("too '
                'large: " + String(u)); end if; y := u; end check; ')
    model = function + "model B Real x = check(time); Real y = 1; end B; model A B b; end A;"
    check_exit(run_text("simulate", model, "--stop", "1"), 0)
    result = check_exit(run_text("simulate", model, "--stop", "3"), 5)
    contains(result.err, "too large")
    certain = function + "model B Real x = check(3); end B; model A B b; end A;"
    result = check_exit(run_text("show", certain), 3)
    contains(result.err, "too large: 3")
    returned = ('function stop input String s; external "C" ModelicaError(s); end stop; '
                'function f input Real u; output Real y; '
                'algorithm y := u; if u < 2 then return; end if; stop("too large"); end f; '
                'model B Real x = f(time); end B; model A B b; end A;')
    check_exit(run_text("simulate", returned, "--stop", "1"), 0)
    contains(check_exit(run_text("simulate", returned, "--stop", "3"), 5).err, "too large")


STANDING = """connector Port Real h; flow Real m; flow Real H; end Port;
model End parameter Real h; Port port; equation port.H = semiLinear(port.m, port.h, h); end End;
model Tank
  Port a, b;
  Real T(start = 5, fixed = true);
equation
  a.m + b.m = 0;
  a.H + b.H = 2*der(T);
  a.H = semiLinear(a.m, a.h, T);
  b.H = semiLinear(b.m, b.h, T);
end Tank;
model Short
  Port a, b;
  Real h;
equation
  a.m + b.m = 0;
  a.H + b.H = 0;
  a.H = semiLinear(a.m, a.h, h);
  b.H = semiLinear(b.m, b.h, h);
end Short;
model A
  End left(h = 10), right(h = 20);
  Tank tank;
  Short short;
equation
  connect(left.port, short.a); connect(short.b, tank.a); connect(tank.b, right.port);
  left.port.m = FLOW;
end A;
"""


def test_a_fluid_that_stands_still_has_a_temperature():
    # nothing flows: without the rule for semiLinear the enthalpies of the ports are not determined
    last = simulate(STANDING.replace("FLOW", "if time < 5 then 0 else time - 5"), "--stop", "1")
    close(last["tank.T"], 5)
    ramp = STANDING.replace("FLOW", "if time < 5 then 0 else time - 5").replace(
        "Short short;", "Short short; Real f = noEvent(if tank.a.m > 1 then tank.a.m^2 else 0);")
    close(simulate(ramp, "--stop", "1")["tank.T"], 5)  # a kink may be put in where none is told
    # that of a neighbour
    assert min(abs(last["short.h"] - 10), abs(last["short.h"] - 5)) < 1e-9, last["short.h"]
    assert min(abs(last["tank.b.h"] - 20), abs(last["tank.b.h"] - 5)) < 1e-9, last["tank.b.h"]
    # from left to right, and back
    forth = simulate(STANDING.replace("FLOW", "-2 + 0*time"), "--stop", "1", "--rtol", "1e-8")
    close(forth["tank.T"], 10 - 5*2.718281828459045**-1, 1e-5)
    back = simulate(STANDING.replace("FLOW", "2 + 0*time"), "--stop", "1", "--rtol", "1e-8")
    close(back["tank.T"], 20 - 15*2.718281828459045**-1, 1e-5)
    close(back["short.h"], back["tank.T"])


def test_a_flow_that_became_a_sum_is_recognized():
    # the enthalpy that flows is given by a balance with a known inflow: no variable is left for it
    model = """model A
  Real p(start = 2, fixed = true), U(start = 3, fixed = true), h, m, V, H, W, T = U/p;
equation
  der(p) = 1 - m;
  m = 2*(p - 2);
  der(U) = V + W;
  W = p - 2;
  V + H - 7 = 0;
  H = semiLinear(m, T, h);
  H = semiLinear(m, h, 4);
end A;"""
    first = simulate(model, "--stop", "0.001")
    close(first["T"], 1.5, 1e-2)
    close(first["h"], first["T"])
    last = simulate(model, "--stop", "60")
    close(last["m"], 1, 1e-6)
    close(last["T"], 7.5, 1e-5)


SPLIT = """model A
  Real m = FLOW, h, T1(start = 4, fixed = true), T2(start = 8, fixed = true), H, H1, H2;
equation
  H = semiLinear(m, 10, h);
  H1 = semiLinear(m/4, h, T1);
  H2 = semiLinear(0.75*m, h, T2);
  H = H1 + H2;
  der(T1) = H1 - m/4*T1;
  der(T2) = H2 - 0.75*m*T2;
end A;"""


def test_a_stream_that_stands_still_is_split():
    # h stands in products with the flow only: 0 = 0 where nothing flows
    last = simulate(SPLIT.replace("FLOW", "if time < 1 then 0 else time - 1"), "--stop", "0.5")
    close(last["h"], 10)
    last = simulate(SPLIT.replace("FLOW", "if time < 1 then 0 else time - 1"), "--stop", "3",
                    "--rtol", "1e-8")
    close(last["h"], 10)
    close(last["T1"], 10 - 6*2.718281828459045**-0.5, 1e-5)
    close(last["T2"], 10 - 2*2.718281828459045**-1.5, 1e-5)
    back = simulate(SPLIT.replace("FLOW", "-1 - 0*time"), "--stop", "1")
    close(back["h"], 0.25*4 + 0.75*8)


def test_a_flow_that_its_balance_makes_zero_stays_zero():
    # known slopes that do not agree: only m = 0 solves it, and no slope may take its place
    model = """model A
  Real m(start = 1), H, H1, H2, u(start = 0, fixed = true);
equation
  H = semiLinear(m, 10 + u, 3 + u);
  H1 = semiLinear(m, 2, 3);
  H2 = semiLinear(2*m, 1, u);
  H = H1 + H2;
  der(u) = 1 + m;
end A;"""
    last = simulate(model, "--stop", "1")
    close(last["m"], 0)
    close(last["u"], 1)


BRANCHES = """function region input Real p; output Integer r;
algorithm
  if log(p) > 5 and not exp(p) < 2 then r := 3; elseif sqrt(p) < 2 or log(p) < 0 then r := 1;
  else r := 2; end if;
end region;
function root "Newton's method, executed exactly it doubles the digits in each round"
  input Real a; output Real x; protected Integer i = 0; Boolean found = false;
algorithm
  x := a;
  while i < 60 and not found loop
    found := abs(x^5 - a) < 1e-9;
    x := x - (x^5 - a)/(5*x^4);
    i := i + 1;
  end while;
end root;
model B
  parameter Integer n = region(10) "a size: known, though logarithms are not rational";
  Real x[n] = fill(time, n);
  constant Real r = root(7.5);
  Real y = r + 0*time;
end B;
model A B b; end A;
"""


def test_branches_and_loops_of_functions_of_constants():
    out = show(BRANCHES)
    contains(out, "b.n = 2")
    assert "b.x[3]" not in out
    close(simulate(BRANCHES, "--stop", "1")["b.y"], 7.5**0.2, 1e-12)


def test_an_external_function_gives_an_enumeration():
    text = ('type Compare = enumeration(Less, Equal, Greater); '
            'function compare input String a; input String b; input Boolean c = true; '
            'output Compare result; '
            'external "C" result = ModelicaStrings_compare(a, b, c); end compare; '
            'model B Real x = if compare("a", '
            '"a") == Compare.Equal then 1 else 2; end B; model A B b; end A;')
    contains(show(text), "b.x = 1")


def test_a_phase_by_a_function_that_may_jump_changes_at_events():
    text = ("function g input Real p; output Real h; algorithm h := if p > 2 then 3*p else p^2; "
            "end g; model M Real p = 1 + time; Real h = 5*time; "
            "Integer phase = if h < g(p) or h > 2*g(p) then 1 else 2; end M;")
    result = check_exit(run_text("simulate", text, "--stop", "2", "--intervals", "5",
                                 "--no-event-rows", "--variables", "phase"), 0)
    equal(result.out.splitlines()[1:], ["0,1", "0.4,2", "0.8,2", "1.2,1", "1.6,2", "2,2"])


def test_the_name_of_an_instance():
    text = ('model B Real x = 1; equation assert(x > 2 + time, '
            'getInstanceName() + ": low"); end B; model C B b; end C; model A C c; end A;')
    result = check_exit(run_text("simulate", text), 5)
    contains(result.err, "A.c.b: low")


main(globals())
