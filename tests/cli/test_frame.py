"""The frame of the command line: options, help, exit codes, files."""

from harness import check_exit, contains, equal, main, run


def test_version_is_the_one_of_the_version_file():
    from harness import ROOT
    equal(check_exit(run("--version"), 0).out, f"daetool {(ROOT / 'VERSION').read_text().strip()}\n")


def test_help_lists_all_exit_codes():
    contains(check_exit(run("--help"), 0).out, "70 a bug")


def test_no_command_is_a_usage_error():
    equal(check_exit(run(), 2).out, "")


def test_misspelt_command_gets_a_suggestion():
    check_exit(run("analyse", "x.mo"), 2)


main(globals())
