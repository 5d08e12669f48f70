"""scripts/msl on a library and results of our own."""

import json
import subprocess
import sys
from pathlib import Path

from harness import PROGRAM, ROOT, equal, main, scratch

LIBRARY = """package Modelica
  package Parts
    package Examples
      model Decay
        Real x(start = 1, fixed = true);
        Real y = if time < 0.5 then 0 else 2;
      equation
        der(x) = -x;
        annotation(experiment(StopTime = 1));
      end Decay;
      model Wrong
        Real x(start = 1, fixed = true);
      equation
        der(x) = -x;
        annotation(experiment(StopTime = 1));
      end Wrong;
      model Other
        Real x = time;
        annotation(experiment(StopTime = 1));
      end Other;
    end Examples;
  end Parts;
end Modelica;
"""

# x is exp(-t); y jumps 1e-3 late, for 1e-12 at another time, and where the run ends
DECAY = """"time","x","y"
0,1,0
0.2,0.81873075307798186,0
0.2,0.81873075307798186,2
0.200000000001,0.81873075307716,2
0.200000000001,0.81873075307716,false
0.501,0.60592449089999,0
0.501,0.60592449089999,2
0.75,0.4723665527410147,2
1,0.36787944117144233,2
1,0.36787944117144233,5
"""


def results(folder, name, text):
    path = Path(folder) / "results" / "Modelica" / "Parts" / "Examples" / name
    path.mkdir(parents=True)
    (path / f"{name}.csv").write_text(text)
    (path / "comparisonSignals.txt").write_text("time\n")


def run_msl(folder, *options):
    listed = f"{folder}/list.txt"
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "msl"), folder, "--program", PROGRAM,
                           "--list", listed, *options], capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in Path(listed).read_text().splitlines()]
    return done.stdout, {name.split(".")[-1]: rest for name, *rest in lines}


def test_every_signal_is_compared_at_every_time_of_the_results():
    with scratch() as folder:
        package = Path(folder) / "Modelica"
        package.mkdir()
        (package / "package.mo").write_text(LIBRARY)
        results(folder, "Decay", DECAY)
        results(folder, "Wrong", DECAY.replace("0.4723665527410147", "0.4763665527410147"))
        table, found = run_msl(folder, "--command", "simulate", "--results", f"{folder}/results")
        equal(found["Decay"][2], "agrees")
        equal(found["Other"][2], "")
        assert "2 of 2 wrong: y is missing" in found["Wrong"][2], found
        assert "| Modelica.Parts | 3 | 3 | 2 | 1 |" in table, table


def test_the_tube_is_of_the_scale_and_a_little_time():
    with scratch() as folder:
        package = Path(folder) / "Modelica"
        package.mkdir()
        (package / "package.mo").write_text(LIBRARY)
        head = '"time","x"\n0,1\n0.5,{}\n1,0.36787944117144233\n'
        for value, text in (("0.6085", "agrees"), ("0.6104", "1 of 1 wrong: x is off by"),
                            ("nan", "1 of 1 wrong: x is off by inf")):
            results(folder, "Wrong", head.format(value))
            _, found = run_msl(folder, "Modelica.Parts.Examples.Wrong", "--command", "simulate",
                               "--results", f"{folder}/results")
            assert found["Wrong"][2].startswith(text), found
            (Path(folder) / "results").rename(Path(folder) / f"done{value}")


def test_degrees_of_freedom_are_compared_with_states():
    with scratch() as folder:
        package = Path(folder) / "Modelica"
        package.mkdir()
        (package / "package.mo").write_text(LIBRARY)
        states = {"Decay": 1, "Other": 1}
        models = [{"model": f"Modelica.Parts.Examples.{name}", "facts": {"states": count}}
                  for name, count in states.items()]
        reference = Path(folder) / "states.json"
        reference.write_text(json.dumps({"models": models}))
        table, found = run_msl(folder, "--command", "analyze", "--reference", str(reference))
        equal(found["Decay"][2], "agrees")
        equal(found["Other"][2], "0 degrees of freedom, reference 1 states")
        equal(found["Wrong"][2], "")
        assert "| Modelica.Parts | 3 | 3 | 2 | 1 |" in table, table


main(globals())
