"""What a terminal shows: Unicode mathematics, colour, folding, the pager, the progress line.
What a pipe gets: none of it."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
import unicodedata

from harness import (EXAMPLES, HANG, PROGRAM, SLOWDOWN, check_exit, contains, equal, main,
                     not_under_memcheck, patience, run, run_text, scratch, with_more_and_more_time)

PENDULUM = EXAMPLES / "pendulum.mo"
ESCAPE = re.compile(r"\033\[[0-9;]*[A-Za-z]")
TEXT_COMMANDS = ["analyze", "reduce", "check-init"]


class Screen:
    """One command on a terminal of its own: out is what the terminal got, err what went to a
    pipe beside it (None: to the terminal as well)."""

    def __init__(self, *arguments, columns=100, rows=200, env=None, stderr_too=False, keys=b"",
                 program=PROGRAM, timeout=120):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {k: v for k, v in os.environ.items() if k not in (
            "NO_COLOR", "PAGER", "LESS", "DAETOOL_PAGER", "DAETOOL_UNICODE")}
        environment.update({"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **(env or {})})
        process = subprocess.Popen([program, *map(str, arguments)], stdin=slave, stdout=slave,
                                   stderr=slave if stderr_too else subprocess.PIPE,
                                   env=environment, start_new_session=True)
        os.close(slave)
        if keys:
            os.write(master, keys)
        got, end = b"", time.monotonic() + patience(timeout)
        while time.monotonic() < end:
            try:
                piece = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            got += piece
        self.err = None if stderr_too else process.stderr.read().decode()
        if not stderr_too:
            process.stderr.close()
        self.code = process.wait(timeout=HANG)
        os.close(master)
        self.raw = got.decode(errors="replace")
        self.out = self.raw.replace("\r\n", "\n")
        self.plain = ESCAPE.sub("", self.out)

    def __repr__(self):
        return f"exit {self.code}\n{self.out[:3000]}\n{self.err}"


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_a_terminal_gets_unicode_mathematics_and_colour():
    screen = check_exit(Screen("analyze", PENDULUM), 0)
    for part in ["u′ + 2·x·lambda = 0", "x² + y² = L²", " │ ", "┼", "\033[32m"]:
        contains(screen.out, part)
    body = screen.out.split("Certificate")[0]  # the point is given by the names of the model
    assert "der(" not in body and "*" not in body
    screen = check_exit(Screen("reduce", PENDULUM), 0)
    contains(screen.plain, "[0′, 1′, 2, 3, 4″]")
    contains(screen.plain, "0 = x·u + y·v")


def test_the_first_line_is_the_verdict():
    for command, start in zip(TEXT_COMMANDS,
                              ["Pendulum: success, structural index 3", "Pendulum: 5 unknowns",
                               "Pendulum: well-determined"]):
        assert Screen(command, PENDULUM).plain.startswith(start)


def test_a_pipe_gets_plain_ascii():
    for command in TEXT_COMMANDS:
        assert run(command, PENDULUM).out.isascii()
        assert "\033" not in run(command, PENDULUM).out
    contains(run("analyze", PENDULUM).out, "der(u) + 2*x*lambda = 0")


def test_a_terminal_without_utf8_or_unicode_gets_ascii():
    for env in [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"TERM": "dumb"}, {"TERM": "linux"},
                {"DAETOOL_UNICODE": "0"}]:
        screen = check_exit(Screen("analyze", PENDULUM, env=env), 0)
        assert screen.out.isascii(), (env, screen.out)
        equal("\033" in screen.out, env.get("TERM") != "dumb")


def test_no_color_is_honoured_and_unicode_stays():
    screen = check_exit(Screen("analyze", PENDULUM, env={"NO_COLOR": "1"}), 0)
    assert "\033" not in screen.out
    contains(screen.out, "x² + y² = L²")
    # empty: not set (no-color.org)
    assert "\033" in Screen("analyze", PENDULUM, env={"NO_COLOR": ""}).out
    assert "\033" not in Screen("analyze", "--color", "never", PENDULUM).out


def test_unicode_can_be_asked_for_in_a_pipe():
    result = check_exit(run("reduce", PENDULUM, env={"DAETOOL_UNICODE": "1"}), 0)
    contains(result.out, "0 = -2·x²·lambda - 2·y²·lambda + u² + v² - g·y   [0′, 1′, 2, 3, 4″]")


def test_programs_read_the_same_bytes_on_every_terminal():
    """JSON, Modelica and CSV are for programs: nothing in them depends on who looks."""
    for arguments in [["show", PENDULUM], ["show", "--format", "json", PENDULUM],
                      ["analyze", "--format", "json", PENDULUM],
                      ["reduce", "--format", "modelica", PENDULUM],
                      ["check-init", "--format", "json", PENDULUM],
                      ["simulate", "--stop", "1", "--intervals", "4", PENDULUM]]:
        screen = check_exit(Screen(*arguments, columns=40, rows=1000), 0)
        equal(screen.raw.replace("\r\n", "\n"), run(*arguments).out)


def test_names_are_never_changed():
    model = """model M
  Real der_x(start = 1, fixed = true); Real sqrt_2; Real 'a*b^2'; Real x2;
  Real w[2](each start = 1, each fixed = true);
equation
  der(der_x) = -der_x^3; sqrt_2 = sqrt(der_x^2 + 1); 'a*b^2' = sqrt_2^12 + x2^1.5;
  x2 = 1e-05*der_x^10*time;
  der(w[1]) = w[2]; der(w[2]) = if w[1] <= 1 then -w[1] else 'a*b^2';
end M;
"""
    text = check_exit(run_text("analyze", model, env={"DAETOOL_UNICODE": "1"}), 0).out
    for part in ["der_x′ = -der_x³", "sqrt_2 = √(der_x² + 1)", "'a*b^2' = sqrt_2¹² + x2^1.5",
                 "der_x¹⁰", "w[1]′ = w[2]", "if w[1] ≤ 1 then -w[1] else 'a*b^2'"]:
        contains(text, part)


def test_higher_derivatives_have_their_marks():
    model = """model M
  Real x; Real a; Real b; Real c; Real d;
equation
  x = sin(time); a = der(x); b = der(a); c = der(b); d = der(c);
end M;
"""
    text = check_exit(run_text("analyze", model, env={"DAETOOL_UNICODE": "1"}), 0).out
    contains(text, "x, x′, x″, x‴")


def test_lines_fit_narrow_and_wide_terminals():
    for columns in [40, 80, 120]:
        for command in TEXT_COMMANDS:
            for model in ["pendulum", "car_axis", "ring_modulator", "two_volumes"]:
                screen = Screen(command, EXAMPLES / f"{model}.mo", columns=columns)
                for line in screen.plain.splitlines():
                    assert width(line) <= columns or len(
                        line.split()) <= 2, f"{command} {model} at {columns}: {line!r}"


def test_columns_of_the_picture_are_aligned():
    for columns in [80, 140]:
        text = Screen("analyze", PENDULUM, columns=columns).plain
        bars = {width(line[:re.search("[│┼]", line).start()])
                for line in text.splitlines() if re.search("[│┼]", line)}
        equal(len(bars), 1)


def test_wide_letters_in_names_keep_the_columns():
    model = ("model M Real '圧力'; Real 'é'; Real 'temperature'; equation '圧力' = time; "
             "'é' = 2*'圧力'; 'temperature' = 'é'; end M;")
    for unicode in "01":
        text = check_exit(run_text("analyze", model, env={"DAETOOL_UNICODE": unicode}), 0).out
        bars = {width(line[:re.search("[│┼|]", line).start()])
                for line in text.splitlines() if re.search("[│┼|]", line)}
        equal(len(bars), 1)


def test_a_picture_that_does_not_fit_is_a_list():
    assert "│" not in Screen("analyze", EXAMPLES / "ring_modulator.mo", columns=80).plain
    assert "│" in Screen("analyze", EXAMPLES / "ring_modulator.mo", columns=120).plain


def chain_of(n):
    return (f"model Big\n  parameter Integer n = {n};\n"
            f"  Real x[n](each start = 1, each fixed = true);\nequation\n"
            "  der(x[1]) = -x[1];\n  for i in 2:n loop\n    der(x[i]) = x[i-1] - x[i]^3;\n"
            "  end for;\nend Big;\n")


def test_analyze_of_100000_equations_is_one_screen():
    with scratch() as folder:
        path = os.path.join(folder, "big.mo")
        size = 100000 if SLOWDOWN == 1 else 2000
        open(path, "w").write(chain_of(size))
        screen = check_exit(Screen("analyze", path, columns=80, rows=24, env={"PAGER": "false"}), 0)
        assert len(screen.plain.splitlines()) < 24, screen
        # the same with two equations too many and one variable that nobody determines
        open(path, "w").write(chain_of(size).replace("  Real x", "  Real z; Real x").replace(
            "end Big", "  x[5] = time;\n  x[7] = time;\nend Big"))
        screen = check_exit(Screen("analyze", path, columns=80, rows=40, env={"PAGER": "false"}), 1)
        assert len(screen.plain.splitlines()) < 40, screen


def test_long_output_goes_to_the_pager_and_keeps_its_exit_code():
    with scratch() as folder:
        paged = os.path.join(folder, "paged")
        env = {"PAGER": f"tee {paged} | wc -l"}
        screen = check_exit(Screen("reduce", PENDULUM, rows=10, columns=100, env=env), 0)
        equal(open(paged).read(), Screen("reduce", PENDULUM, rows=100, columns=100).out)
        equal(screen.out.strip(), str(len(open(paged).read().splitlines())))
        broken = EXAMPLES / "car_axis_overdetermined.mo"
        check_exit(Screen("analyze", broken, rows=10, env=env), 1)
        check_exit(Screen("simulate", "--help", rows=10, env=env), 0)
        contains(open(paged).read(), "Usage: daetool simulate")
        check_exit(Screen("simulate", PENDULUM, rows=10, env=env), 0)
        equal(open(paged).read(), run("simulate", PENDULUM).out)


def test_short_output_does_not_start_the_pager():
    screen = check_exit(Screen("check-init", PENDULUM, rows=24, env={"PAGER": "echo pager"}), 0)
    assert "pager" not in screen.out


def test_a_pager_that_is_missing_empty_or_cat_is_no_pager():
    wanted = Screen("reduce", PENDULUM, rows=100).out
    for pager in ["", "cat", "no-such-pager-here"]:
        screen = check_exit(Screen("reduce", PENDULUM, rows=5, env={"PAGER": pager}), 0)
        contains(screen.out, wanted)
    screen = check_exit(Screen("reduce", PENDULUM, rows=5,
                               env={"PAGER": "wc -l", "DAETOOL_PAGER": ""}), 0)
    equal(screen.out, wanted)


def test_a_pager_that_is_left_early_is_fine():
    with scratch() as folder:
        path = os.path.join(folder, "big.mo")
        open(path, "w").write(chain_of(5000))
        screen = check_exit(Screen("reduce", path, rows=10, env={"PAGER": "head -1"}), 0)
        equal(len(screen.out.splitlines()), 1)


def test_the_real_less_shows_all_and_ends_with_q():
    import shutil
    if shutil.which("less") is None:
        return
    screen = check_exit(Screen("reduce", PENDULUM, rows=10, columns=100, keys=b"q"), 0)
    contains(screen.plain, "Pendulum: 5 unknowns")


def test_no_pager_and_no_folding_for_pipes_and_files():
    with scratch() as folder:
        path = os.path.join(folder, "out.txt")
        check_exit(Screen("reduce", PENDULUM, "-o", path, columns=40, rows=5,
                          env={"PAGER": "echo pager"}), 0)
        equal(open(path).read(), run("reduce", PENDULUM).out)


SLOW = """model Slow
  Real x[150](each start = 1, each fixed = true);
equation
  for i in 1:150 loop
    der(x[i]) = cos(5000*time + i) - 0.1*x[i];
  end for;
end Slow;
"""


def test_progress_shows_time_and_what_is_left_and_then_vanishes():
    with scratch() as folder:
        model, result = os.path.join(folder, "slow.mo"), os.path.join(folder, "slow.csv")
        open(model, "w").write(SLOW)
        # long enough for a line, on any build
        stop = ("0.2" if SLOWDOWN > 1 else "1" if "asan" in PROGRAM
                or "sanitize" in PROGRAM else "4")
        options = ["--stop", stop, "--tol", "1e-9", "--intervals", "400"]
        screen = check_exit(Screen("simulate", model, *options, "-o", result, stderr_too=True), 0)
        lines = [part for part in screen.raw.split("\r\033[K") if part]
        assert lines, screen
        for line in lines:
            assert re.fullmatch(rf"integrating: t = \S+ of {stop},( \d+ %, about \S+ (s|min|h) "
                                rf"left)?|[a-z -]+(, \d+ s)?", line), repr(line)
        assert any("integrating: t" in line for line in lines), screen
        assert screen.raw.endswith("\r\033[K")
        # results on the terminal itself: the progress line does not mix with them
        screen = check_exit(Screen("simulate", model, *options, rows=10000, columns=2000,
                                   stderr_too=True), 0)
        equal(screen.out.split("\r\033[K")[-1], open(result).read())


@not_under_memcheck("400 000 equations against the clock")
def test_stages_that_take_long_say_what_they_do():
    """Slow by its size: stopped after two seconds, the line before the message names the stage."""
    with scratch() as folder:
        model = os.path.join(folder, "big.mo")
        open(model, "w").write(chain_of(400000))
        def attempt(limit):
            screen = Screen("reduce", model, "--max-time", limit, "--format", "json", "-o",
                            os.path.join(folder, "o.json"), stderr_too=True)
            if screen.code != 4:
                return True  # a fast machine: done within the limit
            contains(screen.raw, "daetool: time limit of ")
            return re.search(r"\r\033\[K[a-z -]+, \d+ s\r\033\[K", screen.raw) is not None
        with_more_and_more_time(2.5, attempt)


def test_no_progress_in_a_pipe_or_when_quiet():
    with scratch() as folder:
        model = os.path.join(folder, "slow.mo")
        open(model, "w").write(SLOW)
        stop = ("0.1" if SLOWDOWN > 1 else "0.5" if "asan" in PROGRAM
                or "sanitize" in PROGRAM else "2")
        options = ["--stop", stop, "--tol", "1e-9", "--intervals", "20", "-o",
                   os.path.join(folder, "slow.csv")]
        equal(check_exit(run("simulate", model, *options), 0).err, "")
        equal(check_exit(Screen("simulate", model, *options, "--quiet",
                                stderr_too=True), 0).raw, "")


main(globals())
