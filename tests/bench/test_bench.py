"""bench/report: parsers, figures, sentences and the page as a whole; bench/results must
give the page that is in docs/."""

import os
import re
import sys
import tempfile
import traceback
import xml.etree.ElementTree as tree
from pathlib import Path

ROOT = Path(os.environ["SOURCE_ROOT"])
sys.path.insert(0, str(ROOT / "bench" / "report"))
import equal  # noqa: E402
import goals  # noqa: E402
import page  # noqa: E402
import parse  # noqa: E402
import simulation  # noqa: E402
from svg import Axis, Panel, Series, write_figure  # noqa: E402
from text import compare, growth, number, table  # noqa: E402

SIMULATE = """# Run on 2026-01-01 00:00 UTC, quick
# toy: index 3, groups positions velocities, t = 3
daetool default toy 1e-3 ms=1.0000 whole=11.000 steps=10 digits=2.00/1.00
daetool default toy 1e-6 ms=4.0000 whole=14.000 steps=20 digits=6.00/5.00
daetool default toy 1e-9 failed=exit_5
daetool native toy 1e-3 ms=0.5000 whole=50.500 steps=10 digits=2.00/1.00
ida ggl toy 1e-4 ms=8.0000 steps=99 digits=4.00/3.00
ida ggl toy 1e-5 ms=1.0000 steps=99 digits=6.00/5.00
ida ggl toy 1e-6 failed=gave_up
ida ggl toy 1e-7 ms=9.0000 steps=99 digits=0.20/3.00
ida ggl toy 1e-8 ms=9.0000 steps=99 digits=9.00/9.00
radau - toy - failed=stopped
"""


def close(a, b, tolerance=1e-9):
    assert abs(a - b) <= tolerance * max(1, abs(b)), (a, b)


def test_front_has_the_best_times_only():
    runs = [{"ms": t, "digits": [d]} for d, t in ((1, 5), (2, 3), (3, 4), (3, 7), (5, 9))]
    assert equal.front(runs, 0) == [(2, 3), (3, 4), (5, 9)], equal.front(runs, 0)


def test_time_is_interpolated_in_the_logarithm():
    runs = [{"ms": 1, "digits": [2]}, {"ms": 16, "digits": [6]}]
    close(equal.time_of_group(runs, 0, 4), 4)
    close(equal.time_of_group(runs, 0, 1), 1)  # fewer digits than it ever has: its quickest run
    close(equal.time_of_group(runs, 0, 6), 16)
    assert equal.time_of_group(runs, 0, 6.01) is None


def test_every_group_must_have_the_digits():
    runs = [{"ms": 1, "digits": [2, 1]}, {"ms": 16, "digits": [6, 5]}]
    close(equal.time_for(runs, [2, 3]), 4)
    assert equal.time_for(runs, [7, 1]) is None


def test_ratio_above_one_means_ahead_and_needs_a_digit():
    runs = [{"ms": 1, "digits": [2]}, {"ms": 16, "digits": [6]}]
    close(equal.ratio(runs, {"ms": 8, "digits": [4]}), 2)
    assert equal.ratio(runs, {"ms": 8, "digits": [0.9]}) is None


def test_digits_beyond_round_off_do_not_count():
    runs = [{"ms": 3, "digits": [5, 13.1]}]
    close(equal.ratio(runs, {"ms": 6, "digits": [5, 15.5]}), 2)


def test_simulate_is_parsed():
    toy = parse.simulate(SIMULATE)["toy"]
    assert toy["index"] == 3 and toy["groups"] == ["positions", "velocities"] and toy["stop"] == "3"
    assert toy["runs"]["daetool", "default"]["1e-6"] == {"ms": 4, "whole": 14, "steps": 20,
                                                      "digits": [6, 5]}
    assert toy["runs"]["daetool", "default"]["1e-9"] == {"failed": "exit 5"}
    assert toy["runs"]["ida", "ggl"]["1e-6"] == {"failed": "gave up"}
    assert toy["notes"] == ["radau: stopped"]


def test_one_problem_replaces_its_old_runs_only():
    kept = (SIMULATE + "# other: index 2, groups currents, t = 1\n"
            "daetool default other 1e-3 ms=1.0 steps=1 digits=2.0\n")
    block = ("# toy: index 3, groups positions velocities, t = 3\n"
             "daetool default toy 1e-3 ms=7.0 steps=1 digits=2.0/2.0\n")
    problems = parse.simulate(parse.replace_problem(kept, "toy", block, "Run today"))
    assert list(problems) == ["toy", "other"]
    assert list(problems["toy"]["runs"]) == [
        ("daetool", "default")] and problems["toy"]["runs"]["daetool", "default"]["1e-3"]["ms"] == 7
    assert problems["toy"]["ran"] == "Run today" and "ran" not in problems["other"]
    assert problems["other"]["runs"] == parse.simulate(kept)["other"]["runs"]
    added = parse.simulate(parse.replace_problem(kept, "third",
                                                 block.replace("toy", "third"), "Run today"))
    assert list(added) == ["toy", "other", "third"]


def test_simulate_tells_where_the_peer_is_ahead_and_where_it_fails():
    toy = parse.simulate(SIMULATE)["toy"]
    ratios = dict(simulation.ratios_of(toy, ("ida", "ggl")))
    close(ratios["1e-4"], 4)  # 8 ms against 2 ms
    close(ratios["1e-5"], 0.25)
    assert set(ratios) == {"1e-4", "1e-5"}
    text = simulation.sentence(toy, ("ida", "ggl"))
    for part in ("ahead in 1 of 2", "faster at its tolerances 1e-5 (4 times)",
                 "fails at 1e-6 (gave up)", "less than one correct digit in some group at 1e-7",
                 "No run of daetool has all the digits of its run at 1e-8"):
        assert part in text, (part, text)


def test_initcheck_is_parsed():
    text = ("kind n initial verdict redundant conflict seconds growth\nmasses  100  301 "
            "consistent  1  -  0.12\nmasses 1000 3001 inconsistent 0 3 1.30   1.02\n")
    rows = parse.initcheck(text)
    assert [(r["n"], r["verdict"], r["conflict"], r["seconds"]) for r in rows] == [
        (100, "consistent", 0, 0.12), (1000, "inconsistent", 3, 1.3)], rows


EVENTS = """# Run on 2026-01-01 00:00 UTC, quick, version abc
daetool relay 1e-6 events=10 seconds=0.1 rate=100 error=1e-9
daetool ball 1e-6 events=20 seconds=0.2 rate=100 error=2e-9
ida relay 1e-6 failed=step too small
"""


def test_events_are_parsed():
    rows = parse.events(EVENTS)
    assert [(r["tool"], r["model"]) for r in rows] == [
        ("daetool", "relay"), ("ida", "relay"), ("daetool", "ball")], rows
    assert rows[0]["rate"] == "100" and rows[1]["failed"] == "step too small", rows


def test_functions_are_parsed():
    text = "# Run\n| calls | text |\n| ---: | --- |\n| 10 | function |\n"
    assert parse.functions(text) == [["calls", "text"], ["10", "function"]]


SCALE_HEAD = ["work", "size", "equations", "CPU / s", "growth", "peak / MiB", "bytes / equation",
              "goal / s", "IDA + KLU / s", "digits", "digits of IDA"]
SCALE = "\n".join(["| " + " | ".join(SCALE_HEAD) + " |", "|---" * len(SCALE_HEAD) + "|",
                   "| check-init | 10 | 20 | 0.500 |  | 12 | 600 | 2 |  |  |  |",
                   "| check-init | 100 | 200 | 5.000 | 1.00 | 12 | 60 | 2 |  |  |  |",
                   "| reduce | 7 | 20 | stopped |  | 12 | 600 | 2 |  |  |  |",
                   "| rod | 10 | 10 | 0.100 |  |  |  |  | 0.200 | 9.0 | 4.0 |"])


def test_scale_counts_goals_and_peers():
    with tempfile.TemporaryDirectory() as folder:
        text = page.section_scale(SCALE, Path(folder))
    assert "1 of 2 goals are met; not met: check-init, 100 (5 of 2 s)" in text, text
    assert "ahead in 1 of 1" in text, text


FIELDS = SCALE_HEAD[:-1] + ["digits of IDA"]
GOALS = "\n".join("| " + " | ".join(cells) + " |" for cells in [
    FIELDS,
    ["simulate pendulum, tolerance 1e-6", "1", "0", "0.012", "", "15", "", "0.030", "", "", ""],
    ["simulate fekete, tolerance 1e-6", "1", "0", "0.131", "", "15", "", "0.130", "", "", ""],
    ["rod: before the first step, tolerance 1e-4", "10", "10", "0.02", "", "", "", "", "0.01", "",
     ""],
    ["rod: integration, tolerance 1e-4", "10", "10", "0.005", "", "", "", "", "0.01", "3", "2"],
    ["rod: integration, tolerance 1e-6", "10", "10", "0.006", "", "", "", "", "0.01", "3", "4"],
    ["check-init, capacitor grid", "4800", "1", "1.0", "1.1", "30", "", "", "", "", ""],
    ["check-init, capacitor grid", "19200", "1", "1.9", "1.30", "90", "", "2", "", "", ""],
    ["analyze, pendula", "1000000", "1", "stopped", "", "90", "", "8", "", "", ""],
    ["reduce, chain", "40", "1", "0.05", "", "90", "", "0.1", "", "", ""]])


def test_goals_are_compared_with_the_figures():
    rows = {r[0]: r for r in goals.scale(GOALS) if r is not None}
    met = {work: r[3] for work, r in rows.items()}
    assert met == {
        "simulate pendulum, tolerance 1e-6": True, "simulate fekete, tolerance 1e-6": False,
        "fields: all before the first step": False,  # twice the peer's time
        "fields: integration": False,  # fewer digits than the peer at 1e-6
        "fields: integration at 1e-4": False,  # 0.005 of 0.006
        "check-init, capacitor grid, 19200": False,  # grows faster than it may
        "analyze, pendula, 1000000": False, "reduce, chain, 40": True}, met
    assert rows["fields: integration"][2].startswith("1 of 2; worst: rod 10, 1e-6"), rows
    assert rows["analyze, pendula, 1000000"][2] == "stopped", rows
    assert goals.reading("# Run\n 1000000 253 2.9 40 8e5 5500011 232 700\n")[0][3]
    assert not goals.reading("# Run\n 1000000 253 2.9 40 8e5 5500011 232 1626\n")[0][3]
    speeds = "| field | unknowns | lanes | single / kernels |\n| rod | 10 | 1 | {} |\n"
    assert goals.kernels(speeds.format("3.5"))[0][3]
    assert not goals.kernels(speeds.format("2.5"))[0][3]


def test_goals_of_a_part_that_cannot_be_read_do_not_lose_the_others():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assert goals.section_goals(folder) is None
        (folder / "scale.txt").write_text(GOALS, encoding="utf-8")
        (folder / "kernels.txt").write_text("| field | unknowns |\n| rod | 10 |\n")
        (folder / "reader.txt").write_text("# nothing\n")
        (folder / "structure.txt").write_text("rod natural " + "x "*12 + "\n")
        text = goals.section_goals(folder)
    assert "goals of structure" in text and "reduce, chain, 40" in text, text


def test_figures_without_a_version_are_not_shown():
    with tempfile.TemporaryDirectory() as folder:
        for name, shown in (("abc", True), ("abc-dirty", False)):
            path = Path(folder) / "events.txt"
            path.write_text(EVENTS.replace("version abc", f"version {name}"))
            text = "".join(page.part_of_page("events", path, Path(folder)))
            assert ("relay" in text) == shown and ("Not measured" in text) != shown, text


def test_compare_counts_and_names():
    text = compare([("a", 1.0, 2.0), ("b", 3.0, 1.0), ("c", None, 1.0)])
    assert "ahead in 1 of 2" in text and "faster at: b (3 times)" in text, text
    assert compare([]) == "No pair of figures to compare."


def test_numbers_read_well():
    assert [number(v) for v in (None, 0, 0.00123456, 12.345, 123456, 1e7, 2e-5)] == [
        "–", "0", "0.00123", "12.3", "123456", "1.0e+07", "2.0e-05"]


def test_growth_finds_the_exponent():
    close(growth([(10, 1), (100, 10), (1000, 100)]), 1)
    close(growth([(10, 1), (100, 100), (1000, 10000)]), 2)
    assert growth([(10, 1)]) is None


def test_tables_are_markdown():
    assert table(["a", "b"], [[1, 2]]) == "| a | b |\n|:--|--:|\n| 1 | 2 |\n"


def test_axis_places_and_ticks():
    axis = Axis([1, 1000], True)
    assert 0 < axis.place(1) < axis.place(10) < axis.place(1000) < 1
    assert {"1", "10", "100", "1000"} <= {label for _, label in axis.ticks() if label}
    flat = Axis([5, 5], False)
    assert 0 < flat.place(5) < 1


def figure(panels):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.svg"
        write_figure(path, panels)
        return tree.fromstring(path.read_text(encoding="utf-8"))


def test_figures_are_xml_with_axes_legend_and_distinct_colours():
    names = ["one", "two", "three & <four>"]
    root = figure([Panel("title", "x / s", "y / m", [Series(n, [(1, 2), (10, 20 * (i + 1))])
                                                     for i, n in enumerate(names)])])
    texts = [e.text for e in root.iter() if e.tag.endswith("text")]
    for wanted in ["title", "x / s", "y / m", *names]:
        assert wanted in texts, (wanted, texts)
    strokes = {e.get("stroke") for e in root.iter() if e.get("stroke-width") == "1.8"
               and e.tag.endswith("path")}
    assert len(strokes) >= 3, strokes


def test_everything_is_inside_the_figure():
    root = figure([Panel("t", "x", "y", [Series(f"a rather long name of a curve, number {i}",
                                                [(1, 1), (9, 9 + i)]) for i in range(7)])])
    width, height = float(root.get("width")), float(root.get("height"))
    for e in root.iter():
        if e.tag.endswith("text"):
            assert 0 <= float(e.get("x")) <= width and 0 <= float(e.get("y")) <= height, e.text


def test_no_points_no_figure_error():
    figure([Panel("empty", "x", "y", [Series("nothing", [])])])


def test_one_bad_section_does_not_lose_the_others():
    with tempfile.TemporaryDirectory() as folder:
        results, document = Path(folder) / "results", Path(folder) / "page.md"
        results.mkdir()
        (results / "simulate.txt").write_text(SIMULATE, encoding="utf-8")
        (results / "terms.txt").write_text("# Run on a day\n# failed: bench_terms: exit 1\n"
                                           "N = no number here\n", encoding="utf-8")
        page.write_page(results, document, Path(folder) / "bench")
        text = document.read_text(encoding="utf-8")
    assert "**Not complete**: bench_terms: exit 1." in text
    assert "could not be read" in text
    assert "### Toy (index 3, t = 3)" in text
    assert "Not run yet: `bench/run algebra`" in text


def test_the_page_is_what_the_results_give():
    """docs/benchmarks.md is made by the script from bench/results, never by hand."""
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "benchmarks.md"
        page.write_page(ROOT / "bench" / "results", document, Path(folder) / "bench")
        assert document.read_text(encoding="utf-8") == (
            ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8"), "run bench/run --page"
        made = {p.name: p.read_bytes() for p in (Path(folder) / "bench").glob("*.svg")}
    kept = {p.name: p.read_bytes() for p in (ROOT / "docs" / "bench").glob("*.svg")}
    assert made == kept, sorted(n for n in made.keys() | kept.keys() if made.get(n) != kept.get(n))


def test_every_figure_of_the_page_is_there():
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for name in re.findall(r"\]\(bench/([^)]*\.svg)\)", text):
        assert (ROOT / "docs" / "bench" / name).exists(), name


def main():
    failures, count = 0, 0
    for name, function in list(globals().items()):
        if name.startswith("test_"):
            count += 1
            try:
                function()
                print(f"{name}:PASS")
            except Exception:  # noqa: BLE001 a test that breaks is a failed one
                failures += 1
                print(f"{name}:FAIL")
                traceback.print_exc(file=sys.stdout)
    print(f"\n-----------------------\n{count} Tests {failures} Failures 0 Ignored\n"
          f"{'FAIL' if failures else 'OK'}")
    return 1 if failures else 0


sys.exit(main())
