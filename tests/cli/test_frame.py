"""The frame of the command line: options, help, messages, exit codes."""

import json
import os

from harness import EXAMPLES, ROOT, check_exit, contains, equal, main, run, run_text, scratch

PENDULUM = EXAMPLES / "pendulum.mo"
COMMANDS = ["show", "analyze", "reduce", "check-init", "simulate", "export"]


def test_version_is_the_one_of_the_version_file():
    equal(check_exit(run("--version"), 0).out, f"daetool {(ROOT / 'VERSION').read_text().strip()}\n")


def test_help_names_every_command_and_exit_code():
    text = check_exit(run("--help"), 0).out
    for command in COMMANDS:
        contains(text, f"  {command}")
    contains(text, "70 a bug")


def test_help_of_a_command_has_options_and_a_worked_example():
    for command in COMMANDS:
        text = check_exit(run(command, "--help"), 0).out
        for part in ["Usage: daetool " + command, "--set NAME=VALUE", "--format", "-o FILE", "Example:\n  $ daetool " + command]:
            contains(text, part)


def test_no_command_is_a_usage_error():
    equal(check_exit(run(), 2).out, "")


def test_misspelt_command_gets_a_suggestion():
    contains(check_exit(run("analyse", "x.mo"), 2).err, "did you mean 'analyze'?")


def test_misspelt_option_gets_a_suggestion():
    contains(check_exit(run("simulate", "--stopp", "3", PENDULUM), 2).err, "did you mean '--stop'?")


def test_option_without_its_value_is_a_usage_error():
    contains(check_exit(run("simulate", PENDULUM, "--tol"), 2).err, "needs a value")


def test_values_that_do_not_fit_are_usage_errors():
    for options in [["--tol", "small"], ["--newton", "-1"], ["--method", "magic"], ["--format", "xml"], ["--set", "nothing"]]:
        check_exit(run("simulate", *options, PENDULUM), 2)


def test_no_file_and_two_files_are_usage_errors():
    check_exit(run("analyze"), 2)
    check_exit(run("analyze", "a.mo", "b.mo"), 2)


def test_missing_file_is_exit_6():
    contains(check_exit(run("analyze", "no-such-file.mo"), 6).err, "no-such-file.mo: cannot read")


def test_a_directory_is_exit_6():
    check_exit(run("analyze", "/"), 6)


def test_standard_input_is_read_with_a_dash():
    equal(check_exit(run_text("show", "model A Real x; equation x = 1; end A;"), 0).code, 0)


def test_unknown_parameter_in_set_is_a_usage_error_with_suggestion():
    result = check_exit(run("analyze", "--set", "LL=2", PENDULUM), 2)
    contains(result.err, "LL")


def test_model_error_has_place_line_and_caret():
    result = check_exit(run_text("analyze", "model A\n  Real x;\nequation\n  x = yy;\nend A;\n"), 3)
    contains(result.err, "<stdin>:4:7: error: ")
    contains(result.err, "  x = yy;\n")
    contains(result.err, "^~")


def test_result_file_is_complete_or_absent():
    with scratch() as folder:
        path = os.path.join(folder, "out.json")
        check_exit(run("analyze", "--format", "json", "-o", path, PENDULUM), 0)
        equal(json.load(open(path))["model"], "Pendulum")
        equal(os.listdir(folder), ["out.json"])


def test_full_disk_is_exit_6():
    check_exit(run("analyze", "-o", "/dev/full", PENDULUM), 6)
    check_exit(run("simulate", "-o", "/dev/full", PENDULUM), 6)


def test_missing_folder_is_exit_6():
    check_exit(run("analyze", "-o", "/no/such/folder/x.json", PENDULUM), 6)


def test_color_is_off_in_pipes_and_on_when_asked():
    assert "\033[" not in run("analyze", PENDULUM).out
    assert "\033[" in run("analyze", "--color", "always", PENDULUM).out
    assert "\033[" not in run("analyze", PENDULUM, env={"NO_COLOR": "1"}).out


def test_max_time_ends_with_the_documented_code():
    big = "model B\n" + "".join(f"Real x{i}(start=1,fixed=true);" for i in range(3000)) + "\nequation\n" + "".join(
        f"der(x{i})=-{i}*x{i}+sin(x{(i + 1) % 3000});" for i in range(3000)) + "\nend B;\n"
    result = run_text("simulate", big, "--max-time", "0.3", "--stop", "1e9", "--tol", "1e-12")
    check_exit(result, 5)
    contains(result.err, "time limit")
    result = run_text("analyze", big, "--max-memory", "1")
    check_exit(result, 4)
    contains(result.err, "memory limit")


def test_man_pages_and_completions_are_those_of_the_program():
    import subprocess
    with scratch() as folder:
        subprocess.run([ROOT / "scripts" / "make-pages", os.environ["DAETOOL"], folder], check=True)
        for kind in ["man", "completions"]:
            for name in sorted(os.listdir(os.path.join(folder, kind))):
                equal(open(ROOT / kind / name).read(), open(os.path.join(folder, kind, name)).read())


main(globals())
