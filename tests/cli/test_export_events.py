"""Events in exported C: the numbers of simulate with the same fixed-step method, bounded work."""

import math
import os
import random
import re
import subprocess

from exported import COMPILER, WARNINGS, check_same, compiled, table
from harness import EXAMPLES, check_exit, contains, equal, main, run, run_text, scratch
from hybrid_models import SLIP

BALL = """model Ball
  parameter Real e = 0.7, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -e*pre(v));
    n = pre(n) + 1;
  end when;
end Ball;
"""


def test_a_ball_bounces():
    last = check_same(BALL, "1e-3", "1.5")
    equal(last["n"], 2)


def test_parameters_of_a_model_with_events_are_set_at_run_time():
    with scratch() as folder:
        options = ["--method", "bdf3", "--step", "1e-3", "--stop", "1.5"]
        program = compiled(folder, BALL, *options)
        done = subprocess.run([program, "e=0.5", "g=5", "1.5", "1500"], capture_output=True,
                              text=True)
        got = table(done.stdout)[-1]
        wanted = table(check_exit(run("simulate", f"{folder}/model.mo", *options, "--set", "e=0.5",
                                      "--set", "g=5", "--no-event-rows"), 0).out)[-1]
        for name, value in wanted.items():
            assert abs(got[name] - value) < 1e-9, (name, got, wanted)


def test_a_thermostat_switches():
    last = check_same("""model Thermostat
  Real T(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(T) = -T + (if on then 2 else 0);
  on = if pre(on) then T < 1.1 else T < 0.9;
  when change(on) then
    n = pre(n) + 1;
  end when;
end Thermostat;
""", "1e-3", "3")
    equal(last["n"], 11)


def test_a_sampled_controller_holds_its_output():
    check_same("""model Sampled
  parameter Real k = 3, Ts = 0.02;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), i(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = u - 0.1*v;
  when sample(0, Ts) then
    i = pre(i) + Ts*x;
    u = -k*x - 2*v - 0.5*i;
  end when;
end Sampled;
""", "1e-3", "1")


def test_a_converter_is_driven_by_pulses():
    check_same("""model Pwm
  parameter Real L = 1e-3, C = 1e-4, R = 10, V = 24;
  constant Real T = 1e-4;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true);
  Boolean on;
equation
  on = time/T - floor(time/T) < 0.4;
  L*der(i) = (if on then V else 0) - u;
  C*der(u) = i - u/R;
end Pwm;
""", "2e-6", "2e-3")


RECTIFIER = """model Rectifier
  parameter Real Ron = 1e-3, Goff = 1e-3, R = 10, C = 1e-2;
  Real u(start = 0, fixed = true), v, s[4], i[4], w[4], a, b, source;
  Boolean off[4];
equation
  source = 10*sin(50*time);
  v = a - b;
  v = source - 0.1*(i[1] - i[3]);
  for k in 1:4 loop
    off[k] = s[k] < 0;
    w[k] = s[k]*(if off[k] then 1 else Ron);
    i[k] = s[k]*(if off[k] then Goff else 1);
  end for;
  w[1] = a - u;
  w[2] = b - u;
  w[3] = -a;
  w[4] = -b;
  i[1] + i[2] = C*der(u) + u/R;
  i[1] - i[3] + i[2] - i[4] = 0;
end Rectifier;
"""


def test_a_rectifier_with_four_diodes():
    last = check_same(RECTIFIER, "1e-3", "0.5")
    assert 7 < last["u"] < 10, last


def test_reinit_on_a_mechanism_keeps_its_constraints():
    last = check_same("""model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0), v(start = 0, fixed = true);
  Real l(start = 0);
  Integer n(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x*l;
  der(v) = -y*l - 9.81;
  x^2 + y^2 = 1;
  when x < 0 then
    reinit(u, 0.5*pre(u));
    n = pre(n) + 1;
  end when;
end Pendulum;
""", "1e-3", "1.4")
    equal(last["n"], 1)
    assert abs(last["x"]**2 + last["y"]**2 - 1) < 1e-9, last


def test_reinit_moves_no_state_that_nothing_ties_to_it():
    last = check_same("""model Meter
  Real b(start = 0, fixed = true), E = b^2, J(start = 0, fixed = true);
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(b) = 1;
  der(J) = der(E);
  der(x) + der(y) = 2;
  der(x) - 3*der(y) = -2;
  when time >= 0.5 then
    reinit(b, 3);
    reinit(x, 3);
  end when;
end Meter;
""", "1e-2", "1")
    assert abs(last["J"] - 3.5) < 1e-6 and abs(last["y"] - 1) < 1e-9, last


def test_ticks_whole_numbers_modes_and_derivatives_in_conditions():
    """der(x) < 0.2 from arccos 0.2 on; every k counts, two samples coincide."""
    last = check_same("""model Misc
  type Mode = enumeration(a, b, c);
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer k, f, c1(start = 0, fixed = true), c2(start = 0, fixed = true);
  Integer c3(start = 0, fixed = true);
  Mode mode(start = Mode.a, fixed = true);
equation
  der(x) = cos(time);
  der(y) = if mode == Mode.a then 1 elseif mode == Mode.b then -1 else 0.5;
  k = integer(3*time + 0.5);
  f = integer(floor(5*x));
  mode = if pre(mode) == Mode.a and y > 0.60037 then Mode.b
    elseif pre(mode) == Mode.b and y < 0.10013 then Mode.c
    elseif pre(mode) == Mode.c and y > 1.00059 then Mode.a else pre(mode);
  when sample(0, 0.1) then
    c1 = pre(c1) + 1;
  end when;
  when sample(0.05, 0.05) then
    c2 = pre(c2) + pre(c1);
  end when;
  when {der(x) < 0.2, time > 2.5, change(k)} then
    c3 = pre(c3) + 1;
  end when;
end Misc;
""", "1e-3", "3")
    equal((last["k"], last["c1"], last["c2"], last["c3"]), (9, 31, 930, 10))


def test_several_ticks_in_one_step():
    for step in ("0.25", "0.3"):
        check_same("model Ticks Integer n(start = 0, fixed = true); "
                   "Real x(start = 0, fixed = true); equation der(x) = n; "
                   "when sample(0.1, 0.1) then n = pre(n) + 1; end when; end Ticks;", step, "3")


def test_inputs_switch_discrete_values():
    text = """model Inputs
  input Real u(start = 0);
  Real x(start = 0, fixed = true);
  Boolean on(start = false, fixed = true);
equation
  der(x) = if on then 1 else -1;
  on = u > 0.5 or pre(on) and u > 0.2;
end Inputs;
"""
    use = """#include <stdio.h>
#include "mm.h"
int main(void)
{
  static mm_instance s;
  static const double u[6] = {0.0, 0.3, 0.6, 0.3, 0.1, 0.9};
  int status = mm_init(&s);
  int k;
  for (k = 0; k < 60 && status == 0; k++) {
    mm_set("u", u[k / 10]);
    status = mm_step(&s);
    if (k % 10 == 9) {
      printf("%d %.6f\\n", s.segment[mm_shown[0]] > 0.5, mm_values(&s)[0] + 1.0);
    }
  }
  return status;
}
"""
    with scratch() as folder:
        compiled(folder, text, "--method", "ab3", "--step", "0.01")
        with open(f"{folder}/use.c", "w", encoding="utf-8") as file:
            file.write(use)
        subprocess.run([COMPILER, *WARNINGS, "mm.c", "use.c", "-o", "use", "-lm"], cwd=folder,
                       check=True)
        done = subprocess.run([f"{folder}/use"], capture_output=True, text=True)
        equal(done.stdout.split("\n")[:6], ["0 0.900000", "0 0.800000", "1 0.900000",
                                            "1 1.000000", "0 0.900000", "1 1.000000"])


def test_terminate_assert_and_terminal():
    body = ("model A Real x(start = 0, fixed = true); equation "
            "der(x) = 1; when {} then {} end when; end A;")
    for condition, action, code, words in (
            ("x > 0.7", 'terminate("enough");', 0, "terminated at t = 0.701: enough"),
            ("x > 0.7", 'assert(x < 0.5, "too far");', 7, "stopped at t = 0.701: too far"),
            ("terminal()", 'terminate("the end");', 0, "terminated at t = 1: the end")):
        with scratch() as folder:
            program = compiled(folder, body.format(condition, action), "--method", "bdf3",
                               "--step", "1e-3", "--stop", "1")
            done = subprocess.run([program], capture_output=True, text=True)
            equal(done.returncode, code)
            contains(done.stderr, words)


def test_the_last_row_has_what_terminal_changes():
    for stop, rows_end in (("9", "1"), ("0.5", "0.501")):
        text = f"""model A
  Real x(start = 0, fixed = true), b;
  discrete Real z(start = 0, fixed = true), n(start = 0, fixed = true);
equation
  der(x) = 1;
  b^3 + b = if terminal() then 10 else 2;
  when terminal() then
    z = x;
  end when;
  when x > {stop} then
    n = pre(n) + 1;
    terminate("enough");
  end when;
end A;"""
        options = ("--method", "bdf3", "--step", "1e-3", "--stop", "1")
        with scratch() as folder:
            program = compiled(folder, text, *options)
            made = table(subprocess.run([program], capture_output=True, text=True).stdout)
        said = table(check_exit(run_text("simulate", text, *options, "--interval", "1e-3",
                                         "--no-event-rows"), 0).out)
        equal(len(made), len(said))
        for row in (made, said):
            assert abs(row[-1]["time"] - float(rows_end)) < 1e-12, row[-1]
            assert abs(row[-1]["b"] - 2) < 1e-9 and abs(row[-2]["b"] - 1) < 1e-9, row[-2:]
            equal((row[-2]["z"], row[-1]["z"]), (0.0, row[-1]["x"]))
            equal(row[-1]["n"], 1.0 if stop == "0.5" else 0.0)


def test_values_in_messages_are_those_of_the_moment():
    text = """model M
  type E = enumeration(red, green);
  parameter Real p = 2;
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true);
  E e(start = E.red, fixed = true);
  Boolean b = x > 0.6;
equation
  der(x) = 1;
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
    e = if n > 1 then E.green else E.red;
    assert(n < 2, "n = " + String(n, format = "4x") + "|" + String(n, minimumLength = 5) + "|" +
      String(x, significantDigits = 3) + "? " + String(e) + " " +
      String(b, minimumLength = 7, leftJustified = false) + String(p*x, format = ".2e") +
      (if b then " late" else " early"), AssertionLevel.warning);
    if n == 3 then
      terminate("100% of \\"" + String(E.green) + "\\" at " + String(time));
    end if;
  end when;
end M;"""
    with scratch() as folder:
        program = compiled(folder, text, "--step", "0.01", "--stop", "2", "--method", "bdf3")
        done = subprocess.run([program, "p=3"], capture_output=True, text=True)
        told = run("simulate", f"{folder}/model.mo", "--stop", "2", "--set", "p=3").err
    equal(done.stderr.splitlines(), [
        "warning at t = 0.5: n =    2|2    |0.5? green   false1.50e+00 early",
        "warning at t = 0.75: n =    3|3    |0.75? green    true2.25e+00 late",
        'terminated at t = 0.75: 100% of "green" at 0.75'])
    for line in done.stderr.splitlines():
        contains(told, line.split(": ", 1)[1])


FILES = """model M
  function print
    input String text, file = "";
    external "C" ModelicaInternal_print(text, file);
  end print;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.25, 0.25) then
    print("first " + String(x));
    print("second"%s);
  end when;%s
end M;"""


def test_what_is_printed_at_events():
    with scratch() as folder:
        program = compiled(folder, FILES % ("", ""), "--step", "0.01", "--stop", "0.6", "--method",
                           "euler")
        done = subprocess.run([program], capture_output=True, text=True)
    equal(done.stderr.splitlines(), ["first 0.25", "second", "first 0.5", "second"])


def test_what_changes_files_is_refused_and_not_done():
    with scratch() as folder:
        file = f"{folder}/told"
        for text, place in ((FILES % (f', "{file}"', ""), "11:5"), (FILES % (
                "", f'\ninitial equation\n  print("start", "{file}");'), "14:3")):
            result = check_exit(run_text("export", text, "--method", "euler", "--step",
                                         "0.1", "-o", f"{folder}/m.c"), 3)
            contains(result.err, f"<stdin>:{place}: error: what changes files cannot be exported")
            equal(os.listdir(folder), [])


def test_work_is_bounded_and_told():
    """Rounds in a step are at most the bound; a bound that is too small is an error, not a loop."""
    with scratch() as folder:
        options = ["--method", "bdf3", "--step", "1e-3", "--stop", "0.5"]
        compiled(folder, RECTIFIER, *options)
        text = open(f"{folder}/mm.c", encoding="utf-8").read()
        most = re.search(r"mm_flops_per_step_most =\s+(\d+)ul \+ (\d+)ul", text)
        step = re.search(r"mm_flops_per_step = (\d+)ul", text)
        assert int(most[1]) == int(step[1]) and int(most[2]) > 10*int(step[1]), text[:0]
        program = compiled(folder, RECTIFIER, *options, flags=["-DMM_EVENT_ROUNDS=1u"])
        done = subprocess.run([program], capture_output=True, text=True)
        equal(done.returncode, 5)
        contains(done.stderr, "the event does not end within its rounds")
    cycle = """model Cycle
  Real x(start = 0, fixed = true);
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
equation
  der(x) = 1;
  a = x > 0.5 and not pre(b);
  b = a;
end Cycle;
"""
    with scratch() as folder:
        program = compiled(folder, cycle, "--method", "euler", "--step", "1e-3", "--stop", "1")
        done = subprocess.run([program], capture_output=True, text=True)
        equal(done.returncode, 5)


def test_positions_that_a_step_carried_beyond_the_event():
    with open(EXAMPLES/"peg.mo", encoding="utf-8") as file:
        last = check_same(file.read(), "1e-2", "1.5", methods=("bdf3", "ab3"))
    equal(last["c"], 0.0)


def test_simulate_counts_the_operations_of_events():
    with scratch() as folder:
        with open(f"{folder}/model.mo", "w", encoding="utf-8") as file:
            file.write(RECTIFIER)
        result = check_exit(run("simulate", f"{folder}/model.mo", "--method", "ab3", "--step",
                                "1e-3", "--stop", "0.5", "--stats"), 0)
        step = int(re.search(r"operations of a step +(\d+) flops", result.err)[1])
        most = int(re.search(r"most of them, with events +(\d+)", result.err)[1])
        assert most > 14*step, result.err
        again = check_exit(run("simulate", f"{folder}/model.mo", "--method", "ab3", "--step",
                               "1e-3", "--stop", "0.02", "--stats"), 0)
        equal(int(re.search(r"operations of a step +(\d+) flops", again.err)[1]), step)


def test_reinit_of_an_algebraic_unknown_sets_the_state_behind_it():
    for tie, state in (("y = x^3 + x; z = x", 1), ("y + 2*x = 7; z = x", 2.5),
                       ("y = 2*z; z = -x", -1)):
        last = check_same(f"""model A
  Real x(start = 0, fixed = true), y, z, w(start = 1, fixed = true);
equation
  der(x) = 1;
  der(w) = -w;
  {tie};
  when time >= 0.5 then
    reinit(y, 2);
  end when;
end A;
""", "1e-2", "1")
        assert abs(last["x"] - state - 0.5) < 1e-9, (tie, last)


def test_reinit_of_what_follows_several_states_ends_the_run():
    with scratch() as folder:
        program = compiled(folder, """model A
  Real x(start = 0, fixed = true), z(start = 0, fixed = true), y;
equation
  der(x) = 1;
  der(z) = 2;
  y = x + z;
  when time >= 0.5 then
    reinit(y, 5);
  end when;
end A;
""", "--method", "bdf3", "--step", "1e-2", "--stop", "1")
        done = subprocess.run([program], capture_output=True, text=True)
        assert done.returncode != 0, done
        contains(done.stderr, "no values after the event fulfil the equations")


def test_discrete_reals_of_the_start_stay_where_they_are():
    """z = (3*x + 1)/4, by an equation from which the rounding of the start would move away."""
    for x in ("2", "2.1"):
        last = check_same(f"""model W
  Real x(start = {x}, fixed = true), y;
  discrete Real z;
equation
  der(x) = z;
  y = 3*x + z;
  when {{initial(), time > 5}} then
    z = y + 1 - 4*z;
  end when;
end W;
""", "1e-2", "1")
        assert abs(last["z"] - (3*float(x) + 1)/4) < 1e-12, last


def test_friction_that_slips_below_its_peak():
    last = check_same(SLIP, "1e-3", "1.5")
    assert abs(last["w"] - 0.06) < 1e-3, last


def test_nominal_values_make_small_relations_seen():
    last = check_same("""model Small
  Real x(start = 0, fixed = true, nominal = 1e-9);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1e-9;
  when x > 1e-9*(pre(n) + 0.505) then
    n = pre(n) + 1;
  end when;
end Small;
""", "1e-2", "3.2")
    equal(last["n"], 3)


REAL_LOOPS = """model Loops "a loop of two, one through an unknown, one that is not linear"
  Real x(start = 0, fixed = true), y;
  discrete Real u(start = 1, fixed = true), a(start = 1, fixed = true), b(start = 2, fixed = true);
  discrete Real c(start = 0, fixed = true), d(start = 0, fixed = true);
equation
  der(x) = u - 0.1*d;
  y = x + 0.5*u;
  when sample(0.25, 0.5) then
    u = 1 - y;
    a = 10 + pre(a) - b;
    b = a - time;
  end when;
  when sample(0.5, 0.5) then
    c = cos(d) + 0.1*x;
    d = 2*c - 1;
  end when;
end Loops;"""


def test_discrete_reals_that_depend_on_each_other():
    last = check_same(REAL_LOOPS, "0.05", "1.2", methods=("bdf3", "ab3"))
    assert abs(last["a"] - 8.1875) < 1e-9, last  # 2 a = 10 + pre(a) + time at 0.25 and 0.75


DELAYED = """model D
  parameter Real k = 1;
  Real x(start = 1, fixed = true), r;
  Boolean b = x < 0.8;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  discrete Real q(start = 0, fixed = true);
equation
  der(x) = -k*delay(x, 0.05) + (if delay(r, 0.123) > 0.5 then 3 else 0);
  r = if b then 1 else 0;
  when sample(0.1, 0.07) then
    n = pre(n) + 1;
    q = delay(n, 0.2) + delay(x, 0.031);
  end when;
  when delay(n, 0.1) > 2.5 then
    reinit(x, 2);
    m = pre(m) + 1;
  end when;
end D;
"""


def test_constant_delays_are_kept_in_rings():
    with scratch() as folder:
        for method, near in (("bdf3", 2e-2), ("euler", 0.1)):
            program = compiled(folder, DELAYED, "--method", method, "--step", "0.003", "--stop", "1")
            test = subprocess.run([program, "--self-test"], capture_output=True, text=True)
            equal(test.stdout.strip(), "self-test passed")
            for settings in ([], ["k=0.5"]):
                done = subprocess.run([program, *settings], capture_output=True, text=True)
                got = table(done.stdout)[-1]
                options = [word for text in settings for word in ("--set", text)]
                wanted = table(check_exit(run("simulate", f"{folder}/model.mo", "--stop", "1",
                                              "--intervals", "1", *options), 0).out)[-1]
                for name in ("n", "m", "b"):
                    equal((method, name, got[name]), (method, name, wanted[name]))
                for name in ("x", "q"):
                    assert abs(got[name] - wanted[name]) < near, (method, name, got, wanted)


def test_what_is_delayed_is_that_of_each_point_also_where_a_history_begins():
    text = """model A
  Real y, x(start = 0, fixed = true);
equation
  y = delay(sin(time), 1);
  der(x) = y;
end A;
"""
    with scratch() as folder:
        program = compiled(folder, text, "--method", "bdf3", "--step", "0.0015", "--stop", "2.1")
        for row in table(subprocess.run([program], capture_output=True, text=True).stdout):
            wanted = math.sin(row["time"] - 1) if row["time"] > 1 else 0
            assert abs(row["y"] - wanted) < 1e-6, row  # a line behind the kink


def test_derivatives_of_algebraic_unknowns_are_delayed():
    text = """model A
  Real x(start = 1, fixed = true), y(start = 0.5), z;
equation
  der(x) = -x;
  y^3 + y = x;
  z = delay(der(y) + 2*der(x), 0.5);
end A;
"""
    with scratch() as folder:
        program = compiled(folder, text, "--method", "bdf3", "--step", "0.005", "--stop", "1")
        last = table(subprocess.run([program], capture_output=True, text=True).stdout)[-1]
    x = math.exp(-0.5)
    y = 0.5
    for _ in range(50):
        y -= (y**3 + y - x)/(3*y*y + 1)
    assert abs(last["z"] + x/(3*y*y + 1) + 2*x) < 1e-6, last


def test_a_delay_shorter_than_the_step_and_its_order():
    text = "model A Real x(start = 1, fixed = true); equation der(x) = -delay(x, {}); end A;"
    wanted = 0.7**2/2 - 0.4**3/6 + 0.1**4/24
    with scratch() as folder:
        program = compiled(folder, text.format("0.3"), "--method", "bdf3", "--step", "0.01")
        done = subprocess.run([program, "1", "100"], capture_output=True, text=True)
        assert abs(table(done.stdout)[-1]["x"] - wanted) < 1e-5, done.stdout
        program = compiled(folder, text.format("0.004"), "--method", "ab3", "--step", "0.01")
        done = subprocess.run([program, "1", "100"], capture_output=True, text=True)
        assert abs(table(done.stdout)[-1]["x"] - 0.3664) < 1e-4, done.stdout


def test_what_delays_cannot_be_exported_is_said_at_its_place():
    for call, options, words in (
            ("delay(x, time/2, 3)", [], "3:11: error: without --method delay(...)"),
            ("delay(x, time/2, 3)", ["--method", "bdf3", "--step", "1e-6"],
             "3:11: error: a delay over more than 1000000 steps"),
            ("delay(x, 2)", [], "3:11: error: without --method delay(...)"),
            ("delay(x, 2)", ["--method", "bdf3", "--step", "1e-6"],
             "3:11: error: a delay over more than 1000000 steps")):
        text = f"model A Real x(start = 1, fixed = true);\nequation\n der(x) = {call}; end A;"
        result = check_exit(run_text("export", text, *options), 3)
        contains(result.err, words)


TIMES = """model Times "pulses of time inside a step; what coincides is one instant"
  parameter Real w = 20;
  Real x(start = 0, fixed = true), z;
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  Boolean p = cos(w*time) > 0.9999;
equation
  der(x) = if sin(3*time) > 0.5 then 1 else -1;
  z = floor(3*sin(7*time)) + mod(time^2, 0.3);
  when p then
    n = pre(n) + 1;
  end when;
  when {time^2 > 0.5, exp(time) > 2, time > log(2)} then
    m = pre(m) + 1;
  end when;
end Times;
"""


def test_relations_of_time_are_found_inside_the_steps():
    last = check_same(TIMES, "0.01", "2", methods=("ab3", "implicit-euler"))
    equal((last["n"], last["m"]), (6, 2))


def test_positions_that_turns_do_not_find_are_searched():
    # (b1, b2) goes 01, 10, 11, 01 ...; only 00 agrees with itself
    text = """model A Real x(start = 0, fixed = true), y1, y2; Boolean b1 = y1 > 0, b2 = y2 > 0;
equation
  der(x) = y1 + 2*y2;
  y1 = if time < 1 then -1 else if b1 and not b2 or b2 and not b1 then 1 else -1;
  y2 = if time < 1 then 1 else if b1 then 1 else -1;
end A;"""
    last = check_same(text, "0.05", "2", methods=("euler", "bdf3"))
    equal((last["b1"], last["b2"]), (0, 0))
    assert abs(last["x"] + 2) < 1e-9, last


def diodes(seed):
    """Ideal diodes between random nodes that are fed by sources of several frequencies: the model
    and the nodes of each diode."""
    draw = random.Random(seed)
    n = draw.choice([8, 12, 16, 24])
    nodes = range(1, draw.randint(4, 8) + 1)
    currents = {k: [f"v[{k}]/{draw.choice([10, 50, 100])}"] for k in nodes}
    equations, ends = [], []
    for k in nodes:
        equations.append(f"e[{k}] = {draw.randint(5, 50)}*sin({draw.randint(100, 900)}*time + "
                         f"{draw.random()*6:.3f});")
        currents[k].append(f"(v[{k}] - e[{k}])/{draw.choice([0.1, 1, 5])}")
    for d in range(1, n + 1):
        a, b = draw.sample(range(0, len(nodes) + 1), 2)
        ends.append((a, b))
        left, right = (f"v[{k}]" if k else "0" for k in (a, b))
        equations.append(f"{left} - {right} = s[{d}]*(if s[{d}] < 0 then 1 else 1e-5);")
        for k, sign in ((a, ""), (b, "-")):
            if k:
                currents[k].append(f"{sign}s[{d}]*(if s[{d}] < 0 then 1e-5 else 1)")
    currents[1].append("1e-4*der(v[1])")
    equations += [f"0 = {' + '.join(currents[k])};" for k in nodes]
    fixed = ", ".join("true" if k == 1 else "false" for k in nodes)
    return (f"model N Real v[{len(nodes)}](each start = 0, fixed = {{{fixed}}}), e[{len(nodes)}], "
            f"s[{n}](each start = -1);\nequation\n" + "\n".join(equations) + "\nend N;"), ends


def test_many_switches_are_found_along_a_path():
    """24 diodes of which more than eight take turns: neither that nor trying all of them ends."""
    check_same(diodes(24)[0], "1e-4", "0.011", methods=("implicit-euler",), error=1e-6)


def test_positions_after_fixed_steps_agree_with_their_guards():
    """A step that ends beyond the zeros has large values in positions that are not valid there: they
    say nothing of what is rounding behind the event."""
    for seed in (112, 117, 118):
        text, ends = diodes(seed)
        rows = table(check_exit(run_text("simulate", text, "--method", "implicit-euler", "--step",
                                         "1e-3", "--stop", "0.03", "--interval", "1e-3",
                                         "--no-event-rows"), 0).out)
        for row in rows:
            row["v[0]"] = 0
            for d, (a, b) in enumerate(ends, 1):
                s = row[f"s[{d}]"]
                voltage = row[f"v[{a}]"] - row[f"v[{b}]"]
                assert abs(voltage - (s if s < 0 else 1e-5*s)) < 1e-9, (seed, d, row)


main(globals())
