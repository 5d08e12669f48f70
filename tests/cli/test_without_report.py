"""A daetool that was built without the page of the report (no npm, or -Dreport=disabled)."""

from harness import EXAMPLES, check_exit, contains, equal, run, scratch
import harness

PENDULUM = EXAMPLES / "pendulum.mo"


def test_report_says_how_to_get_it():
    with scratch() as folder:
        result = check_exit(run("report", PENDULUM, "-o", f"{folder}/r.html"), 2)
    contains(result.err, "built without the report")
    contains(result.err, "install npm and python3")
    contains(result.err, "-Dreport=enabled")
    equal(result.out, "")


def test_the_help_says_it_too():
    contains(check_exit(run("report", "--help"), 0).out, "report")


def test_everything_else_works():
    for command in ("show", "analyze", "reduce", "check-init", "simulate", "export"):
        check_exit(run(command, PENDULUM), 0)


if __name__ == "__main__":
    harness.main(globals())
