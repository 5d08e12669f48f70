"""daetool report: the page as a text; tests/browser looks at it in a browser."""

import base64
import gzip
import json
import re
import signal
import struct
import subprocess
import time
from html.parser import HTMLParser
from pathlib import Path

import harness
from harness import (EXAMPLES, HANG, MODELS, PROGRAM, check_exit, contains,
                     equal, run, run_text, scratch)

PENDULUM = EXAMPLES / "pendulum.mo"
VOID = {"meta", "link", "input", "br", "hr", "img"}


class Checker(HTMLParser):
    """Elements are closed in order; ids are unique; links inside lead somewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.text = [], [], [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        place = f"</{tag}> closes {self.open[-3:]} at {self.getpos()}"
        assert self.open and self.open[-1] == tag, place
        self.open.pop()

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text.append(data)


def check_page(html):
    page = Checker()
    page.feed(html)
    equal(page.open, [])
    equal(len(page.ids), len(set(page.ids)))
    for link in page.links:
        assert link.startswith("#L") or link[1:] in page.ids, link
    assert not re.search(r"(src|href)=\"(?!#|data:)", html), "something outside is asked for"
    return " ".join(" ".join(page.text).split())


def data_of(html):
    """The arrays of the page by name."""
    index = json.loads(re.search(r'id="data-index">(.*?)</script>', html, re.S)[1])
    block = gzip.decompress(base64.b64decode(re.search(r'id="data-block">(.*?)</script>',
                                                       html, re.S)[1]))
    sizes = {"i8": "b", "u8": "B", "i32": "i", "u32": "I", "f32": "f", "f64": "d"}
    data = dict(index["facts"])
    for name, kind, offset, length in index["arrays"]:
        if kind == "lines":
            data[name] = block[offset:offset + length].decode().split("\n")[:-1]
        else:
            data[name] = list(struct.unpack_from(f"<{length}{sizes[kind]}", block, offset))
    return data


def report(model, *options, code=0):
    with scratch() as folder:
        path = Path(folder) / "report.html"
        result = check_exit(run("report", model, *options, "-o", path), code)
        return path.read_text(), result


def test_pendulum_has_every_section_and_its_command():
    html, result = report(PENDULUM, "--stop", "2")
    text = check_page(html)
    equal(result.out, "")
    for section in ("verdict", "structure", "equations", "constraints", "initialization",
                    "run", "source"):
        contains(html, f'id="section-{section}"')
    for words in ("structural index 3", "2 degrees of freedom", "2 hidden constraints",
                  "initialization: well-determined",
                  "simulation: completed", "differentiated twice", "Nothing is in the way"):
        contains(text, words)
    contains(text, f"daetool report {PENDULUM} --stop 2 -o ")
    assert "CPU seconds" not in text


def test_matrix_and_blocks_are_those_of_analyze():
    data = data_of(report(EXAMPLES / "two_volumes.mo", "--no-simulation")[0])
    told = run("analyze", EXAMPLES / "two_volumes.mo", "--format", "json").json()
    equal([list(e) for e in zip(data["entry_row"], data["entry_column"], data["entry_sigma"])],
          told["signature"])
    equal(data["transversal"], told["transversal"])
    equal(data["offset_c"], [e["c"] for e in told["equations"]])
    equal(data["offset_d"], [v["d"] for v in told["variables"]])
    equal(data["variable_name"], [v["name"] for v in told["variables"]])
    equal(data["equation_line"], [e["line"] for e in told["equations"]])
    fine = told["blocks"]["fine"]
    starts = data["block_start"]
    equal(len(starts) - 1, len(fine))
    for k, block in enumerate(fine):
        equal(sorted(data["row_order"][starts[k]:starts[k + 1]]), sorted(block["equations"]))
    assert sorted(data["column_order"]) == list(range(13))


def test_curves_are_those_of_simulate():
    data = data_of(report(PENDULUM, "--stop", "2", "--intervals", "20")[0])
    rows = run("simulate", PENDULUM, "--stop", "2", "--intervals", "20").out.splitlines()[1:]
    told = [[float(v) for v in row.split(",")] for row in rows]
    equal(data["run_name"], ["x", "y", "u", "v", "lambda"])
    n = len(data["run_time"])
    equal(data["run_time"], [row[0] for row in told])
    for k in range(5):
        for i in range(n):
            value = data["run_base"][k] + data["run_value"][k * n + i]
            assert abs(value - told[i][k + 1]) <= 1e-6 * (1 + abs(told[i][k + 1])), (
                k, i, value, told[i][k + 1])
    assert len(data["step_time"]) > 5 and all(h > 0 for h in data["step_size"])
    assert abs(sum(data["step_size"]) - 2) < 1e-5
    assert max(data["residual_value"]) < 1e-6


def test_curves_can_be_chosen():
    equal(data_of(report(PENDULUM, "--stop", "1", "--variables", "x,l*")[0])["run_name"],
          ["x", "lambda"])
    with scratch() as folder:
        path = Path(folder) / "r.html"
        contains(check_exit(run("report", PENDULUM, "--variables", "q", "-o", path), 2).err,
                 "no variable 'q'")
        assert not path.exists()


def test_certificate_is_told():
    contains(check_page(report(PENDULUM, "--no-simulation")[0]), "Certificate: ")


def test_same_input_same_bytes():
    with scratch() as folder:
        pages = []
        for seed in ("1", "2"):
            path = Path(folder) / "r.html"
            check_exit(run("report", PENDULUM, "--stop", "1", "-o", path,
                           env={"DAETOOL_HASH_SEED": seed}), 0)
            pages.append(path.read_bytes())
        equal(pages[0], pages[1])


def test_page_is_small():
    html, _ = report(PENDULUM, "--no-simulation")
    assert len(html.encode()) < 300_000, len(html)


def test_redundant_start_is_proved_in_numbered_steps():
    text = check_page(report(EXAMPLES / "two_volumes.mo", "--no-simulation")[0])
    for words in ("consistent, 1 redundant", "It follows from the others",
                  "both sides are the same", "solved, with steps"):
        contains(text, words)


CONFLICT = """model Clash
  Real a(start = 1, fixed = true);
  Real b(start = 2, fixed = true);
equation
  der(a) = -a;
  b = a;
end Clash;
"""


def test_conflict_is_explained_and_the_exit_code_is_1():
    with scratch() as folder:
        path = Path(folder) / "clash.mo"
        path.write_text(CONFLICT)
        html, _ = report(path, code=1)
    text = check_page(html)
    contains(text, "initialization: inconsistent")
    contains(text, "without any one of them the conflict is gone")
    contains(text, "contradiction")
    equal(sorted(set(data_of(html)["conflict_line"])), [2, 3, 6])
    assert 'id="section-run"' not in html


def test_singular_model_names_the_part():
    model = "model S\n  Real x, y;\nequation\n  x = 1;\n  x = time;\nend S;\n"
    result = check_exit(run_text("report", model), 1)
    text = check_page(result.out)
    contains(text, "structurally singular")
    contains(text, "Take 1 of these equations out")
    contains(text, "Add 1 equation for these variables, which the others leave open: y")
    equal(data_of(result.out)["equation_part"], [1, 1])


def test_wrong_model_still_gives_a_page_with_the_error():
    with scratch() as folder:
        path = Path(folder) / "wrong.mo"
        path.write_text("model W\n  Real x;\nequation\n  der(x) = z;\nend W;\n")
        html, result = report(path, code=3)
    text = check_page(html)
    contains(result.err, "error:")
    contains(text, "the model could not be read")
    contains(html, '<a href="#L4">line 4</a>')
    equal(data_of(html)["source"][3], "  der(x) = z;")


def test_source_with_markup_is_text():
    model = ('model E "<b>&amp;</b></script>"\n  Real x(start = 1, fixed = true) "<i>";\n'
             'equation\n  der(x) = -x; // </script><script>alert(1)</script>\nend E;\n')
    result = check_exit(run_text("report", model), 0)
    check_page(result.out)
    assert "<b>" not in result.out and "alert" not in result.out.split(
        "</head>")[1].split("<script")[0]
    equal(data_of(result.out)["source"][3], "  der(x) = -x; // </script><script>alert(1)</script>")


def test_failing_simulation_is_kept_as_far_as_it_came():
    model = "model B\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = x^2;\nend B;\n"
    result = check_exit(run_text("report", model, "--stop", "2"), 5)
    text = check_page(result.out)
    contains(text, "simulation: ended early")
    contains(text, "It stopped here")
    times = data_of(result.out)["run_time"]
    assert 0.9 < times[-1] < 1.001, times[-1]


def test_dotted_names_give_a_tree():
    result = check_exit(run("report", "--no-simulation", "-", stdin="""//! base 0.1.0
package 'C'
  model 'C'
    Real 'r.p.v'(start = 1.0, fixed = true);
    Real 'r.i';
  equation
    der('r.p.v') = -'r.i';
    'r.i' = 'r.p.v';
  end 'C';
end 'C';
"""), 0)
    check_page(result.out)


def test_events_have_cause_and_changes():
    html, _ = report(EXAMPLES / "bouncing_ball.mo")
    text = check_page(html)
    data = data_of(html)
    equal(len(data["event_time"]), 4)
    assert abs(data["event_time"][0] - 0.4515236) < 1e-6, data["event_time"]
    equal(set(data["event_cause"]), {"h < 0 (line 15)"})
    for k, change in enumerate(data["event_changes"], 1):
        match = re.fullmatch(rf"bounces = {k}; v = ([0-9.]+) \(reinit\)", change)
        assert match and abs(float(match[1]) - 0.7**k*(2*9.81)**0.5) < 1e-6, change
    contains(text, "4 events, marked by dashed lines")
    contains(html, '<td>h &lt; 0 (<a href="#L15">line 15</a>)</td><td>bounces = 2; v = ')


def test_a_run_with_events_has_its_steps():
    """They follow each other without gaps, up to each event and on from it."""
    data = data_of(report(EXAMPLES / "bouncing_ball.mo")[0])
    begin = 0
    for end, size in zip(data["step_time"], data["step_size"]):
        assert abs(end - size - begin) < 1e-6, (begin, end, size)
        begin = end
    equal(begin, 2)
    for event in data["event_time"]:
        assert min(abs(t - event) for t in data["step_time"]) < 1e-9, event


def test_equations_have_the_numbers_of_the_analysis():
    """Also with events, where the discrete equations are no part of it."""
    html, _ = report(EXAMPLES / "rectifier.mo", "--no-simulation")
    told = run("analyze", EXAMPLES / "rectifier.mo", "--format", "json").json()["equations"]
    section = html.split('id="section-equations"')[1].split("What changes at events")[0]
    rows = re.findall(r'<td class="n">(\d+)</td>.*?<a href="#L(\d+)">', section)
    equal(rows, [(str(e["index"]), str(e["line"])) for e in told])
    assert "0.5" not in section, "a Boolean is shown as a number"


def test_what_changes_at_events_is_shown():
    text = check_page(report(EXAMPLES / "peg.mo", "--no-simulation")[0])
    contains(text, "What changes at events when")
    contains(text, "= true")
    html, _ = report(EXAMPLES / "bouncing_ball.mo", "--no-simulation")
    contains(check_page(html), "reset (reinit)")
    assert "What changes at events" not in report(PENDULUM, "--no-simulation")[0]
    discrete = check_page(report(EXAMPLES / "rectifier.mo", "--no-simulation")[0])
    contains(discrete, "What changes at events off")


def test_kinds_of_curves_and_counts_of_events():
    html, _ = report(EXAMPLES / "peg.mo")
    data = data_of(html)
    equal([k for k, kind in zip(data["run_name"], data["run_kind"]) if kind == 2], ["caught"])
    contains(check_page(html), "state events 6")


def test_long_conditions_are_cut():
    html, _ = report(EXAMPLES / "rectifier.mo", "--no-simulation")
    section = html.split('id="section-structure"')[1].split("</section>")[0]
    contains(section, "daetool analyze --format json")


def test_over_determined_models_that_agree_are_integrated():
    html, _ = report(EXAMPLES / "car_axis_overdetermined.mo", "--stop", "0.5")
    text = check_page(html)
    contains(text, "over-determined: 26 equations for 22 variables, consistent")
    contains(text, "simulation: completed")
    assert "Take " not in text, "nothing needs to be taken out"
    clash = "model C Real x; equation x = 1; x = 2; end C;"
    contains(check_page(check_exit(run_text("report", clash), 1).out), "structurally singular")


RC = """model RC
  Small.Electrical.Source s(V = 5);
  Small.Electrical.Resistor r(R = 10);
  Small.Electrical.Capacitor c(C = 1e-3, v(start = 0, fixed = true));
  Small.Electrical.Ground g;
equation
  connect(s.p, r.p);
  connect(r.n, c.p);
  connect(c.n, s.n);
  connect(s.n, g.p);
end RC;
"""


def test_components_have_their_classes_parameters_and_places():
    library = ["--library", harness.ROOT / "tests" / "library"]
    html = check_exit(run_text("report", RC, *library), 0).out
    text = check_page(html)
    tree = html.split('id="section-components"')[1].split("</section>")[0]
    equal(tree.count("<details open>"), 4)
    contains(tree, 'Small.Electrical.Resistor, <a href="#L3">line 3</a>')
    contains(tree, "<code>R</code> = <math")
    contains(text, "[Ohm] line 4 of Resistor.mo")
    contains(text, "equation 3, line 6 of Source.mo")
    lines = [int(n) for n in re.findall(r'href="#L(\d+)"', html.split('id="data-index"')[0])]
    assert max(lines) <= 11, "a link to a line that the model does not have"


def test_residuals_are_those_of_the_mode():
    data = data_of(report(EXAMPLES / "rectifier.mo")[0])
    assert len(data["event_time"]) > 10, data["event_time"]
    assert max(data["residual_value"]) < 1e-9, max(data["residual_value"])


HYBRID_CLASH = """model HybridClash
  Real x(start = 1, fixed = true);
  Real y(start = 3, fixed = true);
  Integer n(start = 0, fixed = true);
  Boolean b;
equation
  der(x) = if b then -1 else -x;
  b = n > 2;
  y = 2*x;
  when x < 0.5 then
    n = pre(n) + 1;
  end when;
end HybridClash;
"""


def test_conflict_of_a_model_with_events_is_told_by_its_own_equations():
    text = check_page(check_exit(run_text("report", HYBRID_CLASH), 1).out)
    contains(text, "initialization: inconsistent")
    contains(text, "equation 2, line 9")


def test_usage_mistakes_write_no_page():
    with scratch() as folder:
        path = Path(folder) / "r.html"
        check_exit(run("report", PENDULUM, "--stop", "-1", "-o", path), 2)
        check_exit(run("report", Path(folder) / "none.mo", "-o", path), 6)
        contains(check_exit(run("report", PENDULUM, "--watch"), 2).err,
                 "--watch needs -o FILE.html")
        contains(check_exit(run("report", "-", "--watch", "-o", path), 2).err,
                 "--watch needs the model in a file")
        assert not path.exists()


def wait_for(condition):
    end = time.monotonic() + harness.HANG
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_watch_writes_again_when_the_model_changes():
    with scratch() as folder:
        model, page = Path(folder) / "m.mo", Path(folder) / "m.html"
        model.write_text(PENDULUM.read_text())
        process = subprocess.Popen([PROGRAM, "report", model, "--no-simulation", "--watch",
                                    "-o", page], stderr=subprocess.PIPE,
                                   text=True, preexec_fn=harness.signals_as_in_a_shell)
        try:
            assert wait_for(page.exists)
            first = page.read_text()
            contains(first, 'data-watch="')
            time.sleep(0.5)
            model.write_text(PENDULUM.read_text().replace("Pendulum", "Swing"))
            assert wait_for(lambda: "<h1>Swing</h1>" in page.read_text())
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=harness.HANG)
        equal(process.returncode, 0)


def test_many_models_give_good_pages():
    for name in ("car_axis", "slider_crank", "singular_coupling", "three_phase",
                 "transistor_amplifier", "gears"):
        html, _ = report(EXAMPLES / f"{name}.mo", "--no-simulation")
        check_page(html)
        assert MODELS.exists()


if __name__ == "__main__":
    if not harness.has_report():
        for name in [name for name in globals() if name.startswith("test_")]:
            globals()[name].ignored = "built without the report"
    harness.main(globals())
