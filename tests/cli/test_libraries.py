"""Where libraries are stored: folders and files of packages, their names and versions."""

from pathlib import Path

from harness import check_exit, contains, main, run, run_text, scratch

PACKAGE = "package L {} end L;"


def library(folder, files):
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_file_holds_the_class_of_its_name():
    with scratch() as folder:
        library(folder, {"L/package.mo": PACKAGE.format(""),
                         "L/A.mo": "within L; model B Real x = 1; end B;"})
        result = check_exit(run("analyze", "L.A", "--library", folder), 3)
        contains(result.err, "L/A.mo:1:17: error: the class of this file is called 'B', its file or "
                             "folder 'A'")


def test_a_file_says_which_package_it_is_in():
    files = {"L/package.mo": PACKAGE.format(""), "L/S/package.mo": "within L; package S end S;",
             "L/S/A.mo": "within L.S; model A Real x = 1; end A;",
             "L/S/B.mo": "within L; model B Real x = 1; end B;",
             "L/C.mo": "model C Real x = 1; end C;"}
    with scratch() as folder:
        library(folder, files)
        for name in ("L.S.A", "L.C"):
            result = check_exit(run("show", name, "--library", folder), 0)
            assert result.err == "", result.err
        result = check_exit(run("show", "L.S.B", "--library", folder), 0)
        contains(result.err, "B.mo:1:17: warning: this is said to be within 'L', its folder is that of 'S'")


def test_another_version_than_the_one_that_is_used_is_told():
    text = 'model M Real x = L.k; annotation(uses(L(version = "1.0.0"))); end M;'
    for version, more, told in (("2.0.0", "", True), ("1.0.0", "", False), ("1.0.0 beta", "", False),
                                ("2.1.0", ', conversion(noneFromVersion = "1.1.0", '
                                          'noneFromVersion = "1.0.0")', False),
                                ("2.1.0", ', conversion(from(version = "1.0.0", script = "s"))', True)):
        with scratch() as folder:
            library(folder, {"L/package.mo": PACKAGE.format(
                f'constant Real k = 2; annotation(version = "{version}"{more});')})
            result = check_exit(run_text("show", text, "--library", folder), 0)
            contains(result.out, "x = 2")
            said = "version 1.0.0 of 'L' is asked for, the one that was found is " + version
            assert (said in result.err) == told, result.err


def test_a_path_that_does_not_exist():
    for command in ("show", "tree", "analyze"):
        result = check_exit(run(command, "L.A", "--library", "no/such/folder"), 6)
        contains(result.err, "--library no/such/folder: there is no such file or folder")


main(globals())
