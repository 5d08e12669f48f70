"""The rules of the specification that modelica_rules.py,
modelica_access.py, modelica_limits.py and modelica_sections.py list."""

import modelica_access
import modelica_limits
import modelica_rules
import modelica_sections
from harness import check_exit, contains, equal, main, run_text

FILES = (modelica_rules, modelica_access, modelica_limits, modelica_sections)
GOOD = [entry for file in FILES for entry in file.GOOD]
BAD = [entry for file in FILES for entry in file.BAD]


def test_what_obeys_a_rule_is_flattened_by_it():
    for rule, text, lines in GOOD:
        result = check_exit(run_text("show", text), 0)
        for line in lines:
            there = f"  {line.lstrip('~')}" in result.out
            assert there != line.startswith("~"), f"{rule}: {line!r}\n{result.out}"


def test_what_is_printed_is_read_back():
    for _, text, _ in GOOD:
        printed = run_text("show", text).out
        equal(check_exit(run_text("show", printed), 0).out, printed)


def test_what_breaks_a_rule_is_told_once_at_its_place():
    for rule, text, place, message in BAD:
        result = run_text("show", text)
        assert result.code == 3, f"{rule}: {result}"
        assert f"<stdin>:{place}: error: " in result.err and message in result.err, (
            f"{rule}: {result.err}")
        equal(result.err.count(": error: "), 1)


def test_what_other_tools_take_is_a_warning():
    for rule, text, place, message in modelica_limits.WARNED:
        result = check_exit(run_text("show", text), 0)
        assert f"<stdin>:{place}: warning: {message}" in result.err, f"{rule}: {result.err}"
        equal(result.err.count("warning: "), 1)


main(globals())
