"""What rubs new users: examples, words, suggestions, the first commands of the README."""

import json
import math
import os
import re
import shutil
import subprocess
from pathlib import Path

import harness
from harness import EXAMPLES, PROGRAM, ROOT, check_exit, contains, equal, run, run_text, scratch

PENDULUM = EXAMPLES / "pendulum.mo"


def test_examples_are_listed_with_what_they_are():
    lines = check_exit(run("examples"), 0).out.splitlines()
    names = [line.split()[0] for line in lines]
    equal(names, sorted(p.stem for p in EXAMPLES.glob("*.mo")))
    assert all(len(line.split()) > 2 for line in lines), "one without words"
    drive = next(line for line in lines if "drive_components" in line)
    contains(drive, "Motor, gear and load")


def test_examples_are_copied_and_nothing_is_overwritten():
    with scratch() as folder:
        check_exit(run("examples", "pendulum", cwd=folder), 0)
        copied = Path(folder) / "pendulum.mo"
        equal(copied.read_text(), PENDULUM.read_text())
        copied.write_text("mine")
        contains(check_exit(run("examples", "pendulum.mo", cwd=folder), 2).err, "is there already")
        equal(copied.read_text(), "mine")
        check_exit(run("examples", "car*", cwd=folder), 0)
        equal(sorted(p.name for p in Path(folder).glob("car*")),
              ["car_axis.mo", "car_axis_overdetermined.mo"])
        contains(check_exit(run("examples", "perpetuum", cwd=folder), 2).err, "no example fits")
        check_exit(run("examples", "peg.mo", "tanks", cwd=folder), 0)
        assert (Path(folder) / "peg.mo").exists() and (Path(folder) / "tanks.mo").exists()
        told = check_exit(run("examples", "peg", "gears", cwd=folder), 2).err
        contains(told, "peg.mo is there already and stays as it is")
        assert (Path(folder) / "gears.mo").exists(), "the others are copied all the same"


def test_words_are_explained():
    text = " ".join(check_exit(run("help", "GLOSSARY"), 0).out.split())
    for word in ["value (of the signature matrix)", "potential states", "block, coarse",
                 "linear in what they solve for", "hidden", "degrees of freedom"]:
        contains(text, word)
    equal(run("help", "glossary").out, run("help", "Glossary").out)


def messages(text):
    return [line for line in check_exit(run_text("show", text), 3).err.splitlines()
            if "error:" in line]


def test_one_slip_gives_one_message():
    """Each text has one mistake."""
    for text, words in [
            ("model A\n Real x;\nEquation\n x = 1;\nend A;", "did you mean 'equation'?"),
            ("model A\n Real x;\nEquation der(x) = -x;\nend A;", "did you mean 'equation'?"),
            ("model A\n Real x;\nInitial equation\n x = 1;\nequation\n der(x) = 1;\nend A;",
             "did you mean 'initial'?"),
            ("model A\n Real x;\ninitial Equation\n x = 1;\nequation\n der(x) = 1;\nend A;",
             "did you mean 'equation'?"),
            ("model A Real x; equation x = 3,5; end A;", "a decimal point, not a comma"),
            ("model A Real x; equation x = 3 4; end A;", "expected ';' after the equation"),
            ("model A\n Real x, y;\nequation\n x = 1\n y = 2;\nend A;",
             "expected ';' after the equation"),
            ("model A Real x; equation x' = -x; end A;", "a derivative is written der(x)"),
            ("model A Real x, y; equation x' = -y; y = 1; end A;", "is written der(x)"),
            ("model A Real x; equation x = (1 + 2; end A;", "expected ')'"),
            ("model A Real stream; equation 1 = 1; end A;", "'stream' is a word of the language"),
            ("model A Real x y; equation x = 1; end A;", "expected ';' after the declaration")]:
        told = messages(text)
        assert len(told) == 1 and words in told[0], (text, told)


def test_types_may_be_called_as_keywords_but_for_capitals():
    text = "model A type Equation = Real; Equation x = 1; Equation y; equation y = 2; end A;"
    check_exit(run_text("show", text), 0)


def test_words_of_other_languages_are_understood():
    for wrong, right in [("sgn(time)", "sign"), ("ln(time + 1)", "log"),
                         ("pi", "Modelica.Constants.pi"), ("t", "time"),
                         ("arctan(time)", "atan"), ("e^2", "Modelica.Constants.e"),
                         ("power(2, 3)", "^"), ("if True then 1 else 2", "true")]:
        result = check_exit(run_text("show", f"model A Real x; equation x = {wrong}; end A;"), 3)
        contains(result.err, f"did you mean '{right}'?")
        equal(result.err.count("error:"), 1)
    contains(run_text("show", "model A Real T; Real x; equation T = 1; x = t; end A;").err,
             "did you mean 'T'?")


def test_a_misspelt_keyword_is_one_message():
    for word in ["Model", "modle"]:
        model = f"{word} A\n  Real x;\nequation\n  x = time;\nend A;\n"
        result = check_exit(run_text("show", model), 3)
        contains(result.err, f"<stdin>:1:1: error: unknown word '{word}'; did you mean 'model'?")
        equal(result.err.count("error:"), 1)


def test_json_of_simulate_is_json():
    data = json.loads(check_exit(run("simulate", PENDULUM, "--stop", "1", "--intervals", "4",
                                     "--format", "json"), 0).out)
    equal(data["model"], "Pendulum")
    equal(data["data"]["time"], [0, 0.25, 0.5, 0.75, 1])


def test_a_stop_time_nobody_chose_is_announced():
    model = "model A Real x(start = 1, fixed = true); equation der(x) = -x; end A;"
    contains(check_exit(run_text("simulate", model), 0).err,
             "neither --stop nor an experiment annotation: the run ends at t = 1")
    for options in (["--stop", "2"], ["--quiet"]):
        equal(check_exit(run_text("simulate", model, *options), 0).err, "")
    equal(check_exit(run("simulate", PENDULUM, "--intervals", "2"), 0).err, "")


def test_verbose_says_what_goes_on():
    for command in ("analyze", "reduce", "check-init", "simulate"):
        text = check_exit(run(command, PENDULUM, "--verbose"), 0).err
        contains(text, "model Pendulum with 5 variables, 5 equations, "
                 "2 initial equations, 2 parameters")
        contains(text, "in all")
        equal(check_exit(run(command, PENDULUM), 0).err, "")
    contains(run("simulate", PENDULUM, "--verbose").err, "method radau, t = 0 to 100")


def test_types_of_si_bring_their_units():
    table = dict(re.findall(r'\{"(\w+)", "([^"]+)"\}',
                            (ROOT / "src" / "lang" / "si_units.c").read_text()))
    assert len(table) > 90 and list(table) == sorted(table)
    lines = [f"  Modelica.{'Units.SI' if k % 2 else 'SIunits'}.{name} x{k};" for k,
             name in enumerate(table)]
    text = check_exit(run_text("show", "model A\n" + "\n".join(lines) + "\nequation\n" +
                               "".join(f"  x{k} = 1;\n" for k in range(len(table))) +
                               "end A;\n"), 0).out
    for k, unit in enumerate(table.values()):
        contains(text, f'Real x{k}(unit = "{unit}");')
    contains(run_text("show", 'model A Modelica.Units.SI.Current i(unit = "mA"); type V = '
                      'Modelica.Units.SI.Voltage; V v; equation i = 1; v = 2; end A;').out,
             'Real i(unit = "mA");\n  Real v(unit = "V");')


IMPORTS = """model Imports
  import Modelica.Constants.pi;
  import Modelica.Constants.*;
  import Cs = Modelica.Constants;
  import Modelica.Math.{sin, cos};
  import Modelica.Math;
  import SI = Modelica.Units.SI;
  import Modelica.SIunits.*;
  SI.Angle phi(start = 0, fixed = true);
  Voltage v;
  parameter SI.AngularVelocity w = 2*pi;
  Real a, b, c, d;
equation
  der(phi) = w;
  v = sin(phi);
  a = Cs.g_n;
  b = g_n;
  c = Math.cos(phi);
  d = Cs.R;
end Imports;
"""


def test_units_and_constants_are_imported_without_a_library():
    text = check_exit(run_text("show", IMPORTS), 0).out
    for line in ('Real phi(unit = "rad", start = 0, fixed = true);', 'Real v(unit = "V");',
                 'parameter Real w(unit = "rad/s") = 2*Modelica.Constants.pi;', "c = cos(phi);",
                 "a = 9.80665;", "b = 9.80665;", "d = 8.31446261815324;"):
        contains(text, line)
    result = run_text("simulate", IMPORTS, "--intervals", "1", "--quiet").out.splitlines()
    end = dict(zip(result[0].replace('"', "").split(","), map(float, result[-1].split(","))))
    assert abs(end["phi"] - 2*math.pi) < 1e-12 and abs(end["c"] - 1) < 1e-12, end


def test_components_use_constants_without_a_library():
    model = """package P
  model A
    Real x(start = 1, fixed = true);
    parameter Real w = 2*Modelica.Constants.pi;
  equation
    der(x) = -w*x + Modelica.Math.sin(time);
  end A;
  model B
    A a;
  end B;
end P;
"""
    contains(check_exit(run_text("show", model), 0).out, "a.w = 2*Modelica.Constants.pi;")


def test_a_library_comes_before_the_built_in_package():
    with scratch() as folder:
        path = Path(folder) / "Modelica.mo"
        path.write_text("package Modelica\n  package Units\n    package SI\n"
                        '      type Voltage = Real(unit = "mV");\n'
                        "    end SI;\n  end Units;\nend Modelica;\n")
        model = "model A import SI = Modelica.Units.SI; SI.Voltage v; equation v = 1; end A;"
        contains(check_exit(run_text("show", model, "--library", path), 0).out, 'unit = "mV"')


CIRCUIT = """model Circuit
  import Modelica.Electrical.Analog.Basic.Inductor;
  Modelica.Electrical.Analog.Basic.Resistor r(R = 10);
  Modelica.Electrical.Analog.Basic.Capacitor c(C = 1e-3, v(start = 1, fixed = true));
  Inductor l(L = 1e-3);
  Modelica.Blocks.Sources.Sine sine;
  Modelica.Electrical.Analog.Basic.Ground g;
  Real p;
equation
  connect(r.p, c.n);
  connect(r.n, l.p);
  connect(l.n, c.p);
  connect(c.n, g.p);
  p = r.v*r.i;
end Circuit;
"""


def test_a_missing_library_is_one_message():
    result = check_exit(run_text("show", CIRCUIT), 3)
    equal(result.err.count("error:"), 1)
    contains(result.err, "is in the Modelica Standard Library, which is not given")
    contains(result.err, "--library")


OWN = """package Own
  connector Pin Real v; flow Real i; end Pin;
  model Resistor
    Pin p, n;
    parameter Real R = 1;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;
  model Circuit
    Resitor r1(R = 1);
    Resitor r2(R = 2);
    Resistor r3;
    Real x;
  equation
    connect(r1.n, r2.p);
    connect(r2.n, r3.p);
    x = r1.v + r2.p.v + r3.p.v;
  end Circuit;
end Own;
"""


def test_a_misspelt_class_is_one_message():
    result = check_exit(run_text("show", OWN), 3)
    equal(result.err.count("error:"), 1)
    contains(result.err,
             "<stdin>:11:5: error: there is no class 'Resitor'; did you mean 'Resistor'?")
    wrong = "model A import SI = Modelica.Units.SI; SI.Voltag v; equation v = 1; end A;"
    contains(check_exit(run_text("show", wrong), 3).err, "did you mean 'Voltage'?")


def test_a_failed_import_is_one_message():
    model = "model A import U = Foo.Units; U.Length a; U.Length b; equation a = 1; b = 2; end A;"
    result = check_exit(run_text("show", model), 3)
    equal(result.err.count("error:"), 1)
    contains(result.err, "there is no 'Foo.Units' to import")
    constant = "model A import Foo.k; Real x; equation x = k + k; end A;"
    equal(check_exit(run_text("show", constant), 3).err.count("error:"), 1)


def test_suggestions_in_models_with_components():
    for wrong, right in [("pi", "Modelica.Constants.pi"), ("t", "time"), ("sgn(time)", "sign"),
                         ("ln(time + 1)", "log")]:
        model = ("model B Real y; equation y = 1; end B; "
                 f"model A B b; Real x; equation x = {wrong}; end A;")
        result = check_exit(run_text("show", model), 3)
        contains(result.err, f"did you mean '{right}'?")
        equal(result.err.count("error:"), 1)


def completed(*words):
    """What bash offers for the last word."""
    script = (f"compopt() {{ :; }}; source {ROOT / 'completions' / 'daetool.bash'}; "
              f"COMP_WORDS=({' '.join(repr(str(w)) for w in words)}); "
              f"COMP_CWORD={len(words) - 1}; _daetool daetool; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    environment = dict(os.environ, PATH=f"{os.path.dirname(PROGRAM)}:{os.environ['PATH']}")
    return subprocess.run(["bash", "-c", script], env=environment, capture_output=True,
                          text=True, check=True).stdout.split()


def test_names_of_the_file_are_completed():
    equal(completed("daetool", "simulate", PENDULUM, "--set", ""), ["g=", "L="])
    equal(completed("daetool", "simulate", PENDULUM, "--variables", "x,la"), ["x,lambda"])
    equal(completed("daetool", "analyze", PENDULUM, "--model", ""), ["Pendulum"])
    equal(completed("daetool", "examples", "two"), ["two_capacitors", "two_volumes"])
    drive = EXAMPLES / "drive_components.mo"
    equal(completed("daetool", "simulate", drive, "--model", "Gear", "--set", ""), ["ratio="])
    library = ROOT / "tests" / "library"
    with scratch() as folder:
        path = Path(folder) / "rc.mo"
        path.write_text("model RC Small.Electrical.Resistor r(R = 1); end RC;")
        equal(completed("daetool", "analyze", "--library", library, path, "--set", "r.R"),
              ["r.R="])


def test_other_shells_complete_names():
    """Where fish is installed; the files for zsh and fish are made by the same script."""
    if shutil.which("fish") is None:
        return
    script = (f"source {ROOT / 'completions' / 'daetool.fish'}; "
              f"complete -C 'daetool simulate {PENDULUM} --variables x,l'")
    environment = dict(os.environ, PATH=f"{os.path.dirname(PROGRAM)}:{os.environ['PATH']}")
    done = subprocess.run(["fish", "-c", script], env=environment, capture_output=True, text=True)
    equal([line.split("\t")[0] for line in done.stdout.splitlines()], ["x,lambda"])
    contains(completed("daetool", "help", ""), "glossary")


def test_names_can_be_listed():
    equal(check_exit(run("show", PENDULUM, "--names", "variables"), 0).out.split(),
          ["x", "y", "u", "v", "lambda"])
    equal(check_exit(run_text("show", "model A Real x; equation x = 1; end A;",
                              "--names", "models"), 0).out, "A\n")


def test_commands_of_the_readme_run_as_they_are_pasted():
    """From the top folder, with the program where scripts/build puts it;
    tests/docs compares what they print."""
    text = (ROOT / "README.md").read_text()
    commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
    assert len(commands) >= 5, commands
    with scratch() as folder:
        (Path(folder) / "examples").symlink_to(EXAMPLES)
        (Path(folder) / "build").mkdir()
        (Path(folder) / "build" / "daetool").symlink_to(PROGRAM)
        for command in commands:
            done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True)
            equal((command, done.returncode, done.stderr), (command, 0, ""))


if __name__ == "__main__":
    harness.main(globals())
