"""Every allocation made to fail in turn (sampled where there are many): a documented exit code
or 70 with one line, never a signal, nothing half-written.

    test_faults.py PROGRAM LIBRARY [all | every=N] [COMMAND[:METHOD]...]"""

import os
import subprocess
import sys
import tempfile

PROGRAM, LIBRARY = sys.argv[1], sys.argv[2]
EVERY = 1 if "all" in sys.argv else next((int(a[6:])
                                          for a in sys.argv if a.startswith("every=")), 0)
ALLOWED = {0, 1, 2, 3, 4, 5, 6, 70}
MODEL = """model P
  parameter Real g = 9.81, L = 1;
  Real x(start = 1), y(start = 0, fixed = true), u, v(start = 0, fixed = true), l;
equation
  der(x) = u; der(y) = v; der(u) = -2*x*l; der(v) = -2*y*l - g; x^2 + y^2 = L^2;
end P;
"""
WRONG = "model P Real x; equation x = yy + ; end P;"
CASES = [("show", MODEL, []), ("analyze", MODEL, ["--format", "json"]), ("reduce", MODEL, []),
         ("check-init", MODEL, []),
         ("simulate", MODEL, ["--stop", "0.05", "--intervals", "3"]), ("analyze", WRONG, []),
         ("export", MODEL, ["--method", "bdf3", "--step", "0.01"]),
         ("simulate", MODEL, ["--method", "bdf3", "--step", "0.01", "--stop", "0.05"])]

tests = failures = 0
only = [a for a in sys.argv[3:] if a != "all" and not a.startswith("every=")]  # commands
for command, text, options in CASES:
    method = options[options.index("--method") + 1] if "--method" in options else ""
    if only and command not in only and f"{command}:{method}" not in only:
        continue
    with tempfile.TemporaryDirectory() as folder:
        model, result, counter = (os.path.join(folder, n) for n in ["m.mo", "r.csv", "count"])
        open(model, "w").write(text)
        arguments = [PROGRAM, command, model, "-o", result, *options]
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, FAIL_AT="0", FAIL_COUNT=counter)
        subprocess.run(arguments, env=environment, capture_output=True)
        total = int(open(counter).read())
        complete = open(result).read() if os.path.exists(result) else None
        step = EVERY or max(1, total // 50)
        bad = []
        for at in range(1, total + 1, step):
            for leftover in os.listdir(folder):
                if leftover.startswith("r.csv"):
                    os.remove(os.path.join(folder, leftover))
            done = subprocess.run(arguments, env=dict(environment, FAIL_AT=str(at)),
                                  capture_output=True, timeout=120)
            written = open(result).read() if os.path.exists(result) else None
            if done.returncode not in ALLOWED:
                bad.append(f"allocation {at}: exit {done.returncode}: "
                           f"{done.stderr.decode(errors='replace')[:200]}")
            elif done.returncode == 0 and written != complete:
                bad.append(f"allocation {at}: exit 0 with another result")
            elif done.returncode == 5 and written is not None and not (
                complete or "").startswith(written):
                bad.append(f"allocation {at}: other rows than without the failure")
            elif done.returncode not in (0, 5) and written is not None and written != complete:
                bad.append(f"allocation {at}: half-written result")
            elif done.returncode == 70 and done.stderr.decode(errors="replace").count(
                "internal error") < 1:
                bad.append(f"allocation {at}: exit 70 without its line: "
                           f"{done.stderr.decode(errors='replace')[:200]}")
        tests += 1
        failures += bool(bad)
        print(f"{command} {method}: {total} allocations, every {step}: {len(bad)} bad" +
              "".join("\n  " + b for b in bad[:5]), flush=True)
print(f"{tests} Tests {failures} Failures 0 Ignored")
sys.exit(1 if failures else 0)
