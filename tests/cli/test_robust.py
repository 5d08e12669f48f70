"""Nothing breaks it: odd files, closed pipes, signals, limits. Every
end is a documented exit code."""

import json
import math
import os
import random
import signal
import subprocess
import time

from harness import (EXAMPLES, HANG, PROGRAM, SLOWDOWN, check_exit, contains, equal, main,
                     main_has_begun, patience, run, run_text, scratch, signals_as_in_a_shell)

PENDULUM = EXAMPLES / "pendulum.mo"
DOCUMENTED = {0, 1, 2, 3, 4, 5, 6}


def documented(result):
    assert result.code in DOCUMENTED, f"undocumented {result!r}"
    return result


def all_commands(text, *options, timeout=120):
    for command in ["show", "analyze", "reduce", "check-init"]:
        documented(run_text(command, text, *options, timeout=timeout))
    documented(run_text("simulate", text, "--stop", "0.01", "--max-time", str(HANG), *options,
                        timeout=timeout))


def test_a_function_outside_its_domain_names_the_unknowns_it_has():
    result = check_exit(run_text("simulate", "model M Real a(start = 1, fixed = true), "
                                 "b(start = 0, fixed = true); equation der(a) = a; "
                                 "der(b) = log(b + 0.1); end M;", "--stop", "1"), 5)
    contains(result.err, "outside its domain")
    contains(result.err, "der(b) = log(b + 0.1)")
    contains(result.err, "variable b\n")


def test_empty_file():
    for text in ["", "\n", "  // nothing\n", "\ufeff"]:
        check_exit(run_text("show", text), 3)


def test_nul_bytes_and_invalid_utf8():
    for text in [b"model A\0 Real x; equation x = 1; end A;",
                 b"model A Real x\xff; equation x=1; end A;", bytes(range(256))]:
        for command in ["show", "analyze"]:
            documented(run(command, "-", stdin=text))


def test_line_ends_and_byte_order_mark():
    plain = check_exit(run_text("show", "model A\n Real x;\nequation\n x = 1;\nend A;\n"), 0).out
    equal(check_exit(run_text("show", "\ufeffmodel A\r\n Real x;\r\nequation\r\n"
                              " x = 1;\r\nend A;\r\n"), 0).out, plain)
    equal(check_exit(run_text("show", "model A\r Real x;\requation\r x = 1;\rend A;\r"), 0).out,
          plain)


def test_deep_parentheses():
    for depth in [1000, 100000]:
        documented(run_text("show", "model A Real x; equation x = " + "(" * depth + "1" + ")" *
                            depth + "; end A;"))
        documented(run_text("show", "model A Real x; equation x = " + "sin(" * depth + "1" +
                            ")" * depth + "; end A;"))
        documented(run_text("show", "model A Real x; equation x = " + "-" * depth + "1; end A;"))
        documented(run_text("analyze", "model A Real x; equation x = " + "(" * depth))


def test_functions_in_each_other():
    """What is not differentiated is cheap at any depth; what is, is one product and not as
    many as there are functions."""
    def nest(depth, rest):
        return (f"model A Real x(start = "
                f"0.5{', fixed = true' if 'der' in rest else ''}); equation " +
                rest.replace("NEST", "sin(" * depth + "x" + ")" * depth) + "; end A;")
    depth = 100000 if SLOWDOWN == 1 else 2000
    for command in ["show", "analyze", "reduce", "check-init"]:
        check_exit(run_text(command, nest(depth, "der(x) = NEST"), "--max-memory", "1000",
                            "--max-time", str(HANG)), 0)
    check_exit(run_text("simulate", nest(depth, "der(x) = NEST"), "--stop", "0.01",
                        "--intervals", "2"), 0)
    for depth in [60, 300]:
        for command in ["analyze", "reduce", "check-init"]:
            check_exit(run_text(command, nest(depth, "NEST = 0.01*time"),
                                "--max-memory", "1000", "--max-time", str(HANG)), 0)
        check_exit(run_text("simulate", nest(depth, "NEST = 0.01*time"), "--stop", "0.01",
                            "--intervals", "2"), 0)


def test_squares_of_cosines():
    """cos^2 = 1 - sin^2 in a product of n of them has 2^n terms: not written out."""
    n = 40
    text = ("model A " +
            "".join(f"Real x{i}(start = 0.1, fixed = {'true' if i < n - 1 else 'false'});"
                    for i in range(n)) + "equation " +
            "".join(f"der(x{i}) = -x{i};" for i in range(n - 1)) +
            "*".join(f"cos(x{i})^2" for i in range(n)) + " = 0.5; end A;")
    for command in ["analyze", "reduce", "check-init"]:
        check_exit(run_text(command, text, "--max-memory", "1000", "--max-time", str(HANG)), 0)
    check_exit(run_text("simulate", text, "--stop", "0.01", "--intervals", "2",
                        "--max-memory", "1000", "--max-time", str(HANG)), 0)


def test_deep_if_chain():
    text = "".join(f"if time < {i} then {i} else " for i in range(20000)) + "0"
    documented(run_text("show", f"model A Real x; equation x = {text}; end A;"))


def test_long_sum_and_product():
    for operator in ["+", "*"]:
        text = operator.join(f"x^{i}" for i in range(1, 3000))
        documented(run_text("analyze", f"model A Real x; equation 1 = {text}; end A;"))


def test_huge_numbers():
    for number in ["1" + "0" * 100000, "0." + "3" * 100000, "1e999999999", "1e-999999999",
                   "1e400", "1e-400"]:
        all_commands(f"model A Real x; equation x = {number}; end A;")


def test_a_million_digits():
    documented(run_text("show", f"model A Real x; equation x = {'7' * 1000000}; end A;"))


def test_huge_powers():
    for power in ["x^(10^9)", "2^(10^9)", "(x+1)^(10^9)", "x^(1/10^9)", "x^10000 - x^9999",
                  "(x+y)^1000", "2^(2^(2^(2^(2^2))))"]:
        all_commands(f"model A Real x(start=1), y; equation {power} = y; x = 1; end A;")


def test_high_powers_of_products_have_the_value_of_the_product():
    """4^1000 and 1e5^100 are no doubles; (4*x*(1 - x))^1000 and (p/p0)^100 are numbers."""
    text = """model P Real x(start = 0.45, fixed = true), p(start = 1e5, fixed = true), y, z, q;
      equation der(x) = 0; der(p) = -p; y = (4*x*(1 - x))^1000; z = (p/1e5)^100;
      q^3 + q*(p*q/1e5)^80 = 2; end P;"""
    equal(json.loads(check_exit(run_text("check-init", text, "--format", "json"), 0).out)["verdict"],
          "well-determined")
    out = check_exit(run_text("simulate", text, "--stop", "0.01", "--intervals", "1"), 0).out
    names, first, last = (line.split(",") for line in out.splitlines())
    row = dict(zip((name.strip('"') for name in names), map(float, first)))
    assert abs(row["y"] - 0.99**1000) < 1e-12*row["y"] and row["z"] == 1, row
    equal(row["q"], 1)
    assert abs(float(last[names.index('"z"')]) - math.exp(-1)) < 1e-5, last


def test_identifier_of_a_megabyte():
    name = "x" * 1000000
    documented(run_text("show", f"model A Real {name}; equation {name} = 1; end A;"))
    documented(run_text("show", f"model A Real x; equation {name} = 1; end A;"))


def test_line_of_a_hundred_megabytes():
    documented(run_text("show", "model A Real x; equation x = 1;" + " " * 100000000 + " end A;"))
    documented(run_text("show", "model A Real x; equation x = 1;" + " " * 100000000 + " $%&"))


def test_cyclic_parameters():
    result = check_exit(run_text("show", "model A parameter Real a = b; parameter Real b = a; "
                                 "Real x; equation x = a; end A;"), 3)
    contains(result.err, "<stdin>:1:")


def test_many_parameters():
    lines = ["parameter Real p0 = 1;"] + [f"parameter Real p{i} = p{i - 1} + 1;"
                                          for i in range(1, 100000)]
    result = run_text("simulate", "model A\n" + "\n".join(lines) +
                      "\nReal x; equation x = p99999; end A;", "--intervals", "1")
    check_exit(result, 0)
    contains(result.out, "100000")


def test_values_that_double():
    """Exact numbers double their digits, strings their length: refused
    before memory or time runs out."""
    for kind, first, operator in [("Real", "1.1", "*"), ("Integer", "3", "*"),
                                  ("String", '"ab"', "+"), ("Real", "1/7", "/(1/17)*")]:
        lines = ([f"parameter {kind} p0 = {first};"] +
                 [f"parameter {kind} p{i} = p{i - 1}{operator}p{i - 1};" for i in range(1, 60)])
        result = check_exit(run_text("simulate",
                                     "model A " + "\n".join(lines) + "\nReal x = 1; end A;",
                                     "--max-memory", "1000", "--max-time", str(HANG)), 3)
        contains(result.err, "numbers of millions of digits" if kind != "String"
                 else "a string of more than")


def test_domain_errors_are_named():
    for text in ["x = log(-1 - time)", "x = sqrt(-1 - time^2)", "x*time = 1 + x*time",
                 "x = 1/(time - time^2 - time + time^2)", "der(x) = x^2*exp(exp(exp(x)))"]:
        result = documented(run_text("simulate", f"model A Real x(start = 1, "
                                     f"fixed = {'true' if 'der' in text else 'false'}); "
                                     f"equation {text}; end A;"))
        assert result.code != 0 or "nan" not in result.out.lower(), result


def test_not_a_number_never_reaches_the_results():
    result = documented(run_text("simulate", "model A Real x(start=1,fixed=true), y; "
                                 "equation der(x) = -1; y = log(x); end A;", "--stop", "2"))
    check_exit(result, 5)
    assert "nan" not in result.out.lower() and "inf" not in result.out.lower().replace(
        "info", ""), result
    contains(result.err, "t = ")


def test_closed_pipe_is_not_a_crash():
    reader, writer = os.pipe()
    process = subprocess.Popen([PROGRAM, "simulate", PENDULUM, "--interval", "0.001"],
                               stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    os.read(reader, 100)
    os.close(reader)
    process.communicate(timeout=HANG)
    equal(process.returncode, 6)


def complete_rows(path):
    lines = open(path).read().splitlines()
    columns = lines[0].count(",")
    assert all(line.count(",") == columns for line in lines), "a row is incomplete"
    return len(lines)


def wait_for_rows(folder, size):
    """Until so many bytes of results are written, under whatever name."""
    end = time.monotonic() + HANG
    while time.monotonic() < end and not any(os.path.getsize(os.path.join(folder, name)) >= size
                                             for name in os.listdir(folder)):
        time.sleep(0.005)


def test_signals_in_simulate_keep_complete_rows():
    moments = random.Random(7)
    for trial in range(6):
        with scratch() as folder:
            path = os.path.join(folder, "r.csv")
            process = subprocess.Popen([PROGRAM, "simulate", PENDULUM, "--stop", "1e7", "-o",
                                        path, "--interval", "0.01"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       text=True, preexec_fn=signals_as_in_a_shell)
            main_has_begun(process)
            wait_for_rows(folder, 1 + moments.randrange(200000))
            process.send_signal(signal.SIGINT if trial % 2 else signal.SIGTERM)
            _, err = process.communicate(timeout=HANG)
            equal(process.returncode, 5)
            contains(err, "results so far are kept")
            assert complete_rows(path) > 1
            equal(os.listdir(folder), ["r.csv"])


def test_interrupting_an_analysis_leaves_nothing_behind():
    with scratch() as folder:
        source = "model B\n" + "".join(f"Real x{i};"
                                       for i in range(60000)) + "\nequation\n" + "".join(
            f"x{i}=sin(x{(i + 1) % 60000})*{i}+time;" for i in range(60000)) + "\nend B;\n"
        path = os.path.join(folder, "b.mo")
        open(path, "w").write(source)
        process = subprocess.Popen([PROGRAM, "analyze", path, "-o",
                                    os.path.join(folder, "o.json")], stderr=subprocess.PIPE,
                                   text=True, preexec_fn=signals_as_in_a_shell)
        main_has_begun(process)
        time.sleep(patience(0.1))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG)
        assert process.returncode in (0, 1, 4), process.returncode
        assert not [n for n in os.listdir(folder) if n.startswith("o.json.")]


def test_read_only_folder_is_exit_6():
    if os.geteuid() == 0:
        return  # root writes everywhere
    with scratch() as folder:
        os.chmod(folder, 0o500)
        check_exit(run("analyze", "-o", os.path.join(folder, "x.json"), PENDULUM), 6)
        os.chmod(folder, 0o700)


def test_the_same_bytes_every_time():
    for command in ["show", "analyze", "reduce", "check-init"]:
        for name in ["pendulum.mo", "gears.mo", "tanks.mo"]:
            options = [] if command == "show" else ["--format", "json"]
            first = run(command, *options, EXAMPLES / name)
            for seed in ["1", "2"]:
                again = run(command, *options, EXAMPLES / name, env={"DAETOOL_HASH_SEED": seed})
                equal(again.out, first.out)
    equal(run("simulate", PENDULUM, "--stop", "2").out,
          run("simulate", PENDULUM, "--stop", "2", env={"DAETOOL_HASH_SEED": "99"}).out)


main(globals())
