"""What rubs new users: examples, words, suggestions, the first commands of the README."""

import json
import os
import re
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


def test_words_are_explained():
    text = " ".join(check_exit(run("help", "GLOSSARY"), 0).out.split())
    for word in ["value (of the signature matrix)", "potential states", "block, coarse",
                 "linear in what they solve for", "hidden", "degrees of freedom"]:
        contains(text, word)
    equal(run("help", "glossary").out, run("help", "Glossary").out)


def test_words_of_other_languages_are_understood():
    for wrong, right in [("sgn(time)", "sign"), ("ln(time + 1)", "log"),
                         ("pi", "Modelica.Constants.pi"), ("t", "time"),
                         ("arctan(time)", "atan")]:
        result = check_exit(run_text("show", f"model A Real x; equation x = {wrong}; end A;"), 3)
        contains(result.err, f"did you mean '{right}'?")
        equal(result.err.count("error:"), 1)
    contains(run_text("show", "model A Real T; Real x; equation T = 1; x = t; end A;").err,
             "did you mean 'T'?")


def test_a_capital_keyword_is_one_message():
    result = check_exit(run_text("show", "Model A\n  Real x;\nequation\n  x = time;\nend A;\n"), 3)
    contains(result.err, "<stdin>:1:1: error: unknown word 'Model'; did you mean 'model'?")
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
                            (ROOT / "src" / "model" / "si_units.c").read_text()))
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


def completed(*words):
    """What bash offers for the last word."""
    script = (f"compopt() {{ :; }}; source {ROOT / 'completions' / 'daetool.bash'}; "
              f"COMP_WORDS=({' '.join(repr(str(w)) for w in words)}); "
              f"COMP_CWORD={len(words) - 1}; _daetool; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    environment = dict(os.environ, PATH=f"{os.path.dirname(PROGRAM)}:{os.environ['PATH']}")
    return subprocess.run(["bash", "-c", script], env=environment, capture_output=True,
                          text=True, check=True).stdout.split()


def test_names_of_the_file_are_completed():
    equal(completed("daetool", "simulate", PENDULUM, "--set", ""), ["g=", "L="])
    equal(completed("daetool", "simulate", PENDULUM, "--variables", "x,la"), ["x,lambda"])
    equal(completed("daetool", "analyze", PENDULUM, "--model", ""), ["Pendulum"])
    equal(completed("daetool", "examples", "two"), ["two_capacitors", "two_volumes"])
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
