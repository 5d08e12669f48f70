"""Clocks in exported C: the numbers of simulate with the same fixed-step method, and answers that
are known in closed form."""

import subprocess

from exported import check_same, compiled, table
from harness import check_exit, contains, equal, main, run, run_text, scratch


def test_ratios_of_one_clock():
    last = check_same("""model Ratios
  Integer n(start = 0), third, late(start = -1), later(start = 0), back(start = 7);
  Integer fast(start = 0), sum(start = 0);
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
  end when;
  third = subSample(n, 3);
  late = shiftSample(n, 1, 2);
  later = shiftSample(n, 3);
  back = backSample(later, 2);
  fast = superSample(third, 3);
  sum = previous(sum) + fast;
end Ratios;
""", "0.01", "1.02")
    equal([last[name] for name in ("n", "third", "late", "back", "sum")],
          [11, 10, 10, 11, 3*1 + 3*4 + 3*7 + 2*10])


def test_clocks_that_are_not_multiples_of_the_step_and_coincide():
    last = check_same("""model Both
  Integer a(start = 0), b(start = 0), ha(start = 0), hb(start = 0);
  Integer both(start = 0, fixed = true), s(start = 0, fixed = true);
equation
  when Clock(1, 2) then
    a = previous(a) + 1;
  end when;
  when Clock(1, 3) then
    b = previous(b) + noClock(a);
  end when;
  ha = hold(a);
  hb = hold(b);
  both = if change(ha) and change(hb) then pre(both) + 1 else pre(both);
  when sample(0, 0.5) then
    s = pre(s) + ha;
  end when;
end Both;
""", "0.03", "2.1")
    equal([last[name] for name in ("a", "b", "both", "s")],
          [5, 1 + 1 + 2 + 3 + 3 + 4 + 5, 3, 1 + 2 + 3 + 4 + 5])


def test_a_plant_with_a_sampled_controller():
    last = check_same("""model Plant
  Real x(start = 1, fixed = true), xs, u;
equation
  der(x) = hold(u);
  xs = sample(x, Clock(1, 10));
  u = -xs;
end Plant;
""", "0.01", "1.05")
    assert abs(last["x"] - 0.9**10*0.95) < 1e-9, last


def test_event_clocks_and_clocks_that_tell_their_interval():
    last = check_same("""model Events
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), d(start = 0);
  Integer n(start = 0), m(start = 0), k(start = 0);
equation
  der(x) = v;
  der(v) = -x;
  when Clock(x > 0.5) then
    n = previous(n) + 1;
    d = interval(d);
  end when;
  m = subSample(n, 2);
  when Clock(k, 10) then
    k = previous(k) + 1;
  end when;
end Events;
""", "0.005", "20")
    equal([last["n"], last["m"], last["k"]], [4, 3, 20])
    assert abs(last["d"] - 6.283185) < 0.01, last


DISCRETIZED = """model Discretized
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x*y;
  y = sample(1.0, Clock(Clock(1, 10), solverMethod = "{}"));
end Discretized;
"""


def test_discretized_partitions():
    for method, factor in (("ExplicitEuler", 0.9), ("ImplicitEuler", 1/1.1),
                           ("ImplicitTrapezoid", 0.95/1.05), ("ExplicitMidPoint2", 0.905),
                           ("ExplicitRungeKutta4", 0.905 - 0.001/6 + 0.0001/24)):
        last = check_same(DISCRETIZED.format(method), "0.01", "1.05", methods=("bdf3",))
        assert abs(last["x"] - factor**10) < 1e-12, (method, last)


def test_equations_that_are_solved_at_a_tick():
    last = check_same("""model Solved
  Real z(start = 1), u, a(start = 0), b(start = 0);
equation
  u = sample(time, Clock(1, 2));
  z^3 + z = previous(z) + u;
  a + b*z = 3;
  a + 2*b + b^3 = previous(a);
end Solved;
""", "0.01", "1.1")
    z = 1.0
    for t in (0, 0.5, 1):
        right = z + t
        for _ in range(50):
            z -= (z**3 + z - right)/(3*z*z + 1)
    assert abs(last["z"] - z) < 1e-10, last
    assert abs(last["a"] + last["b"]*last["z"] - 3) < 1e-10, last


PI = """model PI
  parameter Real k = 2;
  Real y(start = 1, fixed = true), yc, x(start = 0), u, v;
equation
  der(y) = v;
  yc = sample(y, Clock(1, 10));
  x = previous(x) - yc*interval();
  u = -k*yc + x;
  v = hold(u);
end PI;
"""


def test_parameters_are_set_before_the_first_tick():
    with scratch() as folder:
        for method in ("ab3", "bdf3"):
            options = ["--method", method, "--step", "0.01", "--stop", "1.05"]
            program = compiled(folder, PI, *options)
            done = subprocess.run([program, "k=1", "1.05", "105"], capture_output=True, text=True)
            got = table(done.stdout)[-1]
            wanted = table(check_exit(run("simulate", f"{folder}/model.mo", *options, "--set",
                                          "k=1", "--no-event-rows"), 0).out)[-1]
            for name, value in wanted.items():
                assert abs(got[name] - value) < 1e-10, (method, name, got, wanted)


def test_an_assertion_at_a_tick_ends_the_run():
    text = """model Fails
  Integer n(start = 0);
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
    assert(n < 6, "too many");
  end when;
end Fails;
"""
    with scratch() as folder:
        program = compiled(folder, text, "--method", "bdf3", "--step", "0.01", "--stop", "1")
        done = subprocess.run([program, "1", "10"], capture_output=True, text=True)
        equal(done.returncode, 7)
        equal(done.stderr, "stopped at t = 0.5: too many\n")


def test_ticks_without_values_end_the_run():
    text = """model Hole
  Real z(start = 4);
equation
  when Clock(1, 10) then
    z = sqrt(previous(z) - 1);
  end when;
end Hole;
"""
    with scratch() as folder:
        program = compiled(folder, text, "--method", "bdf3", "--step", "0.001", "--stop", "0.05")
        done = subprocess.run([program, "1", "10"], capture_output=True, text=True)
        equal((done.returncode, done.stderr), (1, "stopped after t = 0.2: a value is not finite\n"))


def test_without_a_method_there_is_nobody_to_tick():
    result = check_exit(run_text("export", PI), 3)
    contains(result.err, ":6:18: error: without --method a clock cannot be exported")


def test_arguments_of_the_program_that_are_none_are_refused():
    text = DISCRETIZED.format("ExplicitEuler")
    with scratch() as folder:
        program = compiled(folder, text, "--method", "bdf3", "--step", "0.01", "--stop", "1")
        for arguments, said in ((["k=1"], "there is no parameter to set in 'k=1'\n"),
                                (["1x"], "arguments: [--self-test] | [NAME=VALUE]... "
                                         "[STOP [EVERY]]\n")):
            done = subprocess.run([program, *arguments], capture_output=True, text=True)
            equal((done.returncode, done.stdout, done.stderr), (2, "", said))
        program = compiled(folder, PI, "--method", "bdf3", "--step", "0.01", "--stop", "1")
        done = subprocess.run([program, "k=two"], capture_output=True, text=True)
        equal((done.returncode, done.stderr), (2, "there is no parameter to set in 'k=two'\n"))


main(globals())
