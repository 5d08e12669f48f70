"""docs/language.md, claim by claim: what it says is read is read so, what
it says is refused is refused."""

import re

from harness import ROOT, check_exit, contains, equal, main, run_text
from language_claims import ELSEWHERE, READ, REFUSED, RUN


def one_line(text):
    return " ".join(text.split())


def sentences():
    """Those of the page; headings and the tables of limits and sizes say nothing else."""
    page = (ROOT / "docs" / "language.md").read_text()
    page = page[:page.index("## Limits")] + page[page.index("## Models with components"):]
    for block in re.split(r"\n(?=- |#|\n)", page):
        block = re.sub(r"^- ", "", one_line(block))
        if block and not block.startswith("#"):
            yield from re.split(r"(?<=[.])\s+(?=[A-Z`(])", block)


def test_every_sentence_has_a_test():
    words = [one_line(claim[0]) for claim in [*READ, *REFUSED, *ELSEWHERE, *RUN]]
    without = [s for s in sentences() if not any(word in s for word in words)]
    assert not without, "no test shows:\n" + "\n".join(without)


def test_what_commands_say():
    page = one_line((ROOT / "docs" / "language.md").read_text())
    for words, command, model, code, said, *options in RUN:
        contains(page, one_line(words))
        result = check_exit(run_text(command, model, *options), code)
        contains(result.out + result.err, said)


def test_every_other_claim_has_its_test():
    page = one_line((ROOT / "docs" / "language.md").read_text())
    for words, name in ELSEWHERE:
        contains(page, words)
        file, function = name.split(".")
        text = (ROOT / "tests" / "cli" / f"test_{file}.py").read_text()
        contains(text, f"def test_{function}():")


def test_what_is_read_is_read_so():
    page = (ROOT / "docs" / "language.md").read_text()
    for words, model, printed, *options in READ:
        contains(page, words)
        text = check_exit(run_text("show", model, *options), 0).out
        contains(text, printed)
        # and what it prints reads back to itself
        equal(check_exit(run_text("show", text), 0).out, text)


def test_what_is_refused_is_refused_with_a_place():
    page = (ROOT / "docs" / "language.md").read_text()
    for words, model, message in REFUSED:
        contains(page, words)
        result = check_exit(run_text("show", model), 3)
        contains(result.err, message)
        assert re.match(r"<stdin>:\d+:\d+: ", result.err), result.err


def test_at_most_twenty_errors():
    model = ("model A\n" + "".join(f"  Real x{i};\n" for i in range(40)) + "equation\n" +
             "".join(f"  x{i} = nothing{i};\n" for i in range(40)) + "end A;\n")
    result = check_exit(run_text("show", model), 3)
    equal(result.err.count(": error: "), 20)


def test_a_parameter_without_value_is_an_error_where_it_is_needed():
    model = ("model A parameter Real p; Real x(start = 1, fixed = true); "
             "equation der(x) = -p*x; end A;")
    check_exit(run_text("analyze", model), 0)
    contains(check_exit(run_text("simulate", model), 3).err, "p")


main(globals())
