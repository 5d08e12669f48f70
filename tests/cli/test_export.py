"""daetool export: the C text compiles without warnings, gives the numbers of
simulate, and is the same each time."""

import re
import shutil
import subprocess

import harness
from harness import EXAMPLES, ROOT, check_exit, contains, equal, run, scratch

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion"]
COMPILERS = [c for c in ("gcc", "clang") if shutil.which(c)] or ["cc"]
PENDULUM = EXAMPLES / "pendulum.mo"


def export(folder, model, *options):
    """Writes model.c and model.h there."""
    check_exit(run("export", model, "--prefix", "mm", "-o", f"{folder}/mm.c", *options), 0)


def compile_quietly(compiler, folder, *more):
    done = subprocess.run([compiler, *WARNINGS, "-O1", *more, "mm.c",
                           "-o", f"mm_{compiler}", "-lm"],
                          cwd=folder, capture_output=True, text=True)
    equal(done.stdout + done.stderr, "")
    equal(done.returncode, 0)
    return f"{folder}/mm_{compiler}"


def last_row(text):
    return [float(v) for v in text.strip().split("\n")[-1].split(",")]


def check_same_numbers(model, steps, *options, step="1e-3", sets=()):
    """The exported program and simulate with the same options agree to round-off after
    some steps, for every compiler."""
    with scratch() as folder:
        export(folder, model, *options, *sets, "--step", step, "--start", "0")
        stop = str(float(step) * steps)
        expected = run("simulate", model, *options, *sets, "--step", step, "--start", "0",
                       "--stop", stop, "--interval", stop)
        expected = last_row(check_exit(expected, 0).out)
        for compiler in COMPILERS:
            program = compile_quietly(compiler, folder, "-DMM_MAIN")
            test = subprocess.run([program, "--self-test"], capture_output=True, text=True)
            equal(test.stdout.strip(), "self-test passed")
            done = subprocess.run([program, stop, str(steps)], capture_output=True, text=True)
            equal(done.returncode, 0)
            got = last_row(done.stdout)
            equal(len(got), len(expected))
            for a, b in zip(got, expected):
                assert abs(a - b) <= 1e-11 * (1 + abs(b)), (a, b, options)


def test_pendulum_by_each_method_gives_the_numbers_of_simulate():
    for options in (["--method", "ab3", "--projections", "0"],
                    ["--method", "ab3"],
                    ["--method", "ab3", "--projection", "minimum-norm", "--history", "constant"],
                    ["--method", "bdf3", "--newton", "1"],
                    ["--method", "bdf3", "--newton", "2", "--projection", "minimum-norm"],
                    ["--method", "bdf3", "--history", "constant", "--projections", "2"],
                    ["--method", "euler"],
                    ["--method", "implicit-euler"]):
        check_same_numbers(PENDULUM, 500, *options)


def test_car_axis_and_slider_crank_give_the_numbers_of_simulate():
    for model in ("car_axis.mo", "slider_crank.mo"):
        check_same_numbers(EXAMPLES / model, 100, "--method", "bdf3", "--newton", "1", step="1e-4")
        check_same_numbers(EXAMPLES / model, 100, "--method", "ab3", step="1e-4")


def test_chain_of_10_pendula_by_tables_gives_the_numbers_of_simulate():
    check_same_numbers(EXAMPLES / "chain.mo", 50, "--method", "bdf3", "--newton", "1",
                       sets=["--set", "N=10"])
    check_same_numbers(EXAMPLES / "chain.mo", 50, "--method", "ab3",
                       "--projection", "minimum-norm", sets=["--set", "N=10"])


PARAMETERS = """model Parameters
  parameter Real g = 13.75;
  parameter Real L = 1;
  parameter Real w = g/L "follows";
  parameter Integer n = 2 "decides a size";
  constant Real c = 3;
  Real x(start = L), y(start = 0, fixed = true), u(start = 0), v(start = 0, fixed = true),
    lambda(start = 0);
  Real k = w*x + c;
  Real z[n](each start = 1, each fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) + 2*x*lambda = 0;
  der(v) + 2*y*lambda + g = 0;
  x^2 + y^2 = L^2;
  for i in 1:n loop
    der(z[i]) = -i*g*z[i]/(L + w);
  end for;
end Parameters;
"""


def test_parameters_are_set_at_run_time():
    """The program with NAME=VALUE gives the numbers of simulate --set NAME=VALUE, for explicit,
    implicit, unrolled and by tables."""
    methods = (["--method", "ab3"], ["--method", "bdf3", "--newton", "2"],
               ["--method", "euler"], ["--method", "implicit-euler"],
               ["--method", "ab3", "--history", "constant"])
    with scratch() as folder:
        path = f"{folder}/parameters.mo"
        with open(path, "w", encoding="utf-8") as file:
            file.write(PARAMETERS)
        for options in methods:
            export(folder, path, *options, "--step", "1e-3")
            header = open(f"{folder}/mm.h", encoding="utf-8").read()
            contains(header, "#define MM_N_PARAMETERS 3u")
            program = compile_quietly(COMPILERS[0], folder, "-DMM_MAIN")
            for sets in ([], ["L=2"], ["g=5", "L=0.5"], ["w=2", "L=2", "g=3.25"]):
                more = [word for value in sets for word in ("--set", value)]
                expected = last_row(check_exit(run("simulate", path, *options, "--step", "1e-3",
                                                   *more, "--stop", "0.2",
                                                   "--interval", "0.2"), 0).out)
                done = subprocess.run([program, *sets, "0.2", "200"],
                                      capture_output=True, text=True)
                equal(done.returncode, 0)
                got = last_row(done.stdout)
                for a, b in zip(got, expected):
                    assert abs(a - b) <= 1e-9 * (1 + abs(b)), (a, b, options, sets)
            done = subprocess.run([program, "n=3", "0.1"], capture_output=True, text=True)
            equal(done.returncode, 2)
            contains(done.stderr, "no parameter")


def test_inputs_are_set_at_run_time():
    """An input without an expression is a value of the program, and so are the derivatives of
    it that the reduction needs."""
    text = ("model I input Real u(start = 1); Real x, v, w(start = 0, fixed = true); "
            "equation x = u; der(x) = v; der(w) = u + v - w; end I;")
    with scratch() as folder:
        path = f"{folder}/input.mo"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        export(folder, path, "--method", "ab3", "--step", "1e-3")
        contains(open(f"{folder}/mm.c", encoding="utf-8").read(), '{"u", "der(u)"}')
        with open(f"{folder}/use.c", "w", encoding="utf-8") as file:
            file.write("""#include <stdio.h>
#include "mm.h"
int main(void)
{
  static mm_instance s; /* u = 1 + 2 t: w' = 3 + 2 t - w, w = 1 + 2 t - exp(-t) */
  long i;
  if (mm_set("der(u)", 2.0) != 0 || mm_init(&s) != 0) {
    return 1;
  }
  for (i = 0; i < 1000; i++) {
    if (mm_set("u", 1.0 + 2.0 * s.t) != 0 || mm_step(&s) != 0) {
      return 1;
    }
  }
  printf("%g\\n", mm_values(&s)[2]);
  return 0;
}
""")
        done = subprocess.run([COMPILERS[0], *WARNINGS, "use.c", "mm.c", "-o", "use", "-lm"],
                              cwd=folder, capture_output=True, text=True)
        equal(done.stderr, "")
        value = float(subprocess.run([f"{folder}/use"], capture_output=True, text=True).stdout)
        assert abs(value - (3 - 2.718281828459045**-1)) < 5e-3, value


def test_parameters_of_the_functions_alone_are_set():
    with scratch() as folder:
        export(folder, PENDULUM, "--target", "problem-c")
        with open(f"{folder}/use.c", "w", encoding="utf-8") as file:
            file.write("""#include <stdio.h>
#include "mm.h"
int main(void)
{
  double x[MM_N];
  double g[MM_N_CON];
  unsigned i;
  for (i = 0u; i < MM_N; i++) {
    x[i] = mm_start[i];
  }
  if (mm_set("no_such", 1.0) != 1 || mm_set("L", 2.0) != 0 || mm_find_start(0.0, x) != 0) {
    return 1;
  }
  mm_g(0.0, x, g);
  printf("%.12f %.12f %g %g\\n", x[0], x[1], mm_parameters[1], g[0]);
  return 0;
}
""")
        done = subprocess.run([COMPILERS[0], *WARNINGS, "use.c", "mm.c", "-o", "use", "-lm"],
                              cwd=folder, capture_output=True, text=True)
        equal(done.stderr, "")
        equal(subprocess.run([f"{folder}/use"], capture_output=True, text=True).stdout,
              "2.000000000000 0.000000000000 2 0\n")


FUNCTIONS = """model Functions "every function and condition once"
  Real x(start = 0.3, fixed = true);
  Real y(start = 0.4, fixed = true);
  Real z;
equation
  der(x) = sin(y) + cos(x)*tan(x/4) - atan(y) + asin(x/5) - acos(y/5) + atan2(x, y + 2) - x;
  der(y) = sinh(x) - cosh(y)/3 + tanh(x) - exp(-x) + log(2 + x) - log10(3 + y) + sqrt(2 + x)
    + (if x > y and not y < -5 or x > 100 then x - y else y^3) - abs(y)
    + sign(x)*min(x, y) - max(x, 2*y)
    + floor(y) - ceil(x) + mod(x + 5, 3) - div(7.5, 2) + rem(x + 7, 2);
  z = (x^2 + 1)^1.3 + noEvent(if x > 0.2 then 1/(1 + 1/x) else 0) + time;
end Functions;
"""


def test_every_function_of_the_language_is_exported():
    with scratch() as folder:
        path = f"{folder}/functions.mo"
        with open(path, "w", encoding="utf-8") as file:
            file.write(FUNCTIONS)
        check_same_numbers(path, 30, "--method", "ab3", "--projections", "0")


def test_the_text_is_the_same_each_time_and_contains_its_header():
    first = check_exit(run("export", PENDULUM, "--method", "bdf3", "--step", "1e-3"), 0).out
    equal(first, check_exit(run("export", PENDULUM, "--method", "bdf3", "--step", "1e-3"), 0).out)
    with scratch() as folder:
        export(folder, PENDULUM, "--method", "bdf3", "--step", "1e-3")
        header = open(f"{folder}/mm.h", encoding="utf-8").read()
        source = open(f"{folder}/mm.c", encoding="utf-8").read()
        assert source.startswith(header)
        for part in ("mm_step(", "mm_names[]", "mm_parameters[]", "MM_STEP 0.001"):
            contains(header, part)
        contains(source, "mm_flops_per_step = ")
        contains(source, '"x", "y", "u", "v", "lambda"')
        contains(source, '"g", "L"')
        for word in ("malloc", "free(", "goto", "/work", "/tmp"):
            assert word not in source, word


def test_the_self_test_can_fail():
    with scratch() as folder:
        export(folder, PENDULUM, "--method", "ab3", "--step", "1e-3")
        source = open(f"{folder}/mm.c", encoding="utf-8").read()
        wrong = re.sub(r"13\.7503716373294\d*", "13.75", source)
        assert wrong != source
        with open(f"{folder}/mm.c", "w", encoding="utf-8") as file:
            file.write(wrong.replace("mm_test_f[4] = {0.0, 0.0, 0.0, -13.75}",
                                     "mm_test_f[4] = {0.0, 0.0, 0.0, -13.7503716373294544}"))
        program = compile_quietly(COMPILERS[0], folder, "-DMM_MAIN")
        done = subprocess.run([program, "--self-test"], capture_output=True, text=True)
        assert done.returncode != 0 and "FAILED" in done.stdout


def test_functions_alone_and_the_problem_interface_compile():
    for target in ("c", "problem-c"):
        for model in (PENDULUM, EXAMPLES / "car_axis.mo", EXAMPLES / "van_der_pol.mo"):
            with scratch() as folder:
                export(folder, model, "--target", target)
                for compiler in COMPILERS:
                    compile_quietly(compiler, folder, "-shared", "-fPIC")


def test_the_examples_for_other_solvers_run():
    done = subprocess.run([str(ROOT / "examples" / "c-problem" / "run"), harness.PROGRAM],
                          capture_output=True, text=True)
    equal(done.returncode, 0)
    contains(done.stdout, "loop  t = 10")
    contains(done.stdout, "IDA")


def test_code_size_is_linear():
    sizes = [len(check_exit(run("export", EXAMPLES / "chain.mo", "--set", f"N={n}",
                                "--method", "bdf3", "--step", "1e-3"), 0).out)
             for n in (20, 40)]
    assert sizes[1] < 2.3 * sizes[0], sizes


FIELD = """model Field
  parameter Integer N = 100;
  parameter Real k[N] = {1 + i/10 for i in 1:N};
  parameter Real c = 3;
  Real T[N](each start = 1, each fixed = true), q[N + 1];
equation
  q[1] = sin(time);
  for i in 2:N loop
    q[i] = k[i]*sin(T[i - 1] - T[i]) + c*(T[i - 1] - T[i])^3;
  end for;
  q[N + 1] = T[N]*T[1];
  for i in 1:N loop
    der(T[i]) = q[i] - q[i + 1] - (if T[i] > 2 then T[N + 1 - i] else 0.5*i);
  end for;
end Field;
"""


def test_equations_of_one_shape_are_loops():
    with scratch() as folder:
        path = f"{folder}/field.mo"
        with open(path, "w", encoding="utf-8") as file:
            file.write(FIELD)
        check_same_numbers(path, 3, "--method", "implicit-euler")

        def statements(n):
            text = check_exit(run("export", path, "--set", f"N={n}"), 0).out
            return len(re.findall(r"^ +(?:const double v|w\[|out\[).*;$", text, re.M))

        assert 0 < statements(200) == statements(100) < 120, (statements(100), statements(200))


CELLS = """model Cells
  parameter Integer N = 100;
  parameter Real c[N] = {2 + sin(i) for i in 1:N}, k[N] = {1 + i/10 for i in 1:N};
  Real T[N](start = {1 + 0.1*sin(i) for i in 1:N}, each fixed = true), q[N + 1], e[N];
equation
  q[1] = 0;
  q[N + 1] = 0;
  for i in 2:N loop
    q[i] = k[i]*(1 + 0.1*((T[i - 1] + T[i])/2)^2)*(T[i - 1] - T[i]);
  end for;
  for i in 1:N loop
    c[i]*der(T[i]) = q[i] - q[i + 1];
    der(e[i]) = T[N + 1 - i];
  end for;
end Cells;
"""


def test_copies_are_loops():
    """Masses that are parameters, slopes that are unknowns in the opposite order, entries of
    Jacobians that are used twice."""
    with scratch() as folder:
        path = f"{folder}/cells.mo"
        with open(path, "w", encoding="utf-8") as file:
            file.write(CELLS)
        check_same_numbers(path, 3, "--method", "implicit-euler")

        def statements(n):
            text = check_exit(run("export", path, "--set", f"N={n}"), 0).out
            return len(re.findall(r"^ +(?:const double v|w\[|out\[).*;$", text, re.M))

        assert 0 < statements(200) == statements(100) < 120, (statements(100), statements(200))


def test_wrong_options_are_usage_errors():
    contains(check_exit(run("export", PENDULUM, "--method", "ab3"), 2).err, "--step")
    check_exit(run("export", PENDULUM, "--target", "problem-c", "--method", "ab3",
                   "--step", "1e-3"), 2)
    check_exit(run("export", PENDULUM, "--method", "bdf3", "--step", "1e-3", "--newton", "0"), 2)
    check_exit(run("export", PENDULUM, "--method", "radau", "--step", "1e-3"), 2)
    check_exit(run("export", PENDULUM, "--method", "ab3", "--step", "-1"), 2)
    check_exit(run("export", PENDULUM, "-o", "/nonexistent/x.c"), 6)


harness.main(globals())
