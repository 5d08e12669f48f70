#!/usr/bin/env python3
"""Builds the given build folders, runs their tests and adds up Unity's summary lines.

Every test program prints "N Tests N Failures N Ignored"; one that ends badly without saying so
(crash, time-out, sanitizer report) counts as one more failure."""

import json
import re
import subprocess
import sys
from pathlib import Path

SUMMARY = re.compile(r"^(\d+) Tests (\d+) Failures (\d+) Ignored", re.MULTILINE)


def count(entry):
    """(passed, failed) of one test program."""
    passed = failed = 0
    for tests, failures, ignored in SUMMARY.findall(entry.get("stdout", "")):
        passed += int(tests) - int(failures) - int(ignored)
        failed += int(failures)
    if entry["result"] not in ("OK", "EXPECTEDFAIL") and failed == 0:
        failed = 1
    if entry["result"] == "OK" and passed + failed == 0:
        failed = 1  # a test that tested nothing
    return passed, failed


def run(folder):
    """Builds and tests one folder; (passed, failed)."""
    if subprocess.run(["ninja", "-C", folder, "--quiet"]).returncode != 0:
        print(f"{folder}: the build failed")
        return 0, 1
    log = Path(folder) / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    subprocess.run(["meson", "test", "-C", folder, "--no-rebuild", "--print-errorlogs",
                    "--timeout-multiplier", "4"],  # a busy machine fails no test
                   stdout=sys.stdout, stderr=subprocess.STDOUT)
    if not log.exists():
        print(f"{folder}: no test ran")
        return 0, 1
    passed = failed = 0
    for line in log.read_text(errors="replace").splitlines():
        entry = json.loads(line)
        good, bad = count(entry)
        if bad:
            print(f"{folder}: {entry['name']}: {bad} failed ({entry['result']})")
        passed, failed = passed + good, failed + bad
    print(f"{folder}: {passed} tests passed, {failed} failed", flush=True)
    return passed, failed


def main():
    passed = failed = 0
    for folder in sys.argv[1:]:
        good, bad = run(folder)
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


sys.exit(main())
