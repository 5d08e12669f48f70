"""What the benchmarks ran on: kept beside the results, so that the page
can be made again elsewhere."""

import os
import platform
import re
import subprocess


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout.splitlines()[0].strip() if done.stdout else "unknown"
    except OSError:
        return "not there"


def machine():
    cpu = memory = "unknown"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = next((line.split(":", 1)[1].strip()
                        for line in file if line.startswith("model name")), platform.machine())
        with open("/proc/meminfo", encoding="utf-8") as file:
            kib = int(re.search(r"MemTotal:\s+(\d+)", file.read()).group(1))
        memory = f"{kib / 2**20:.1f} GiB"
    except OSError:
        pass
    system = "unknown"
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            system = re.search(r'PRETTY_NAME="?([^"\n]*)', file.read()).group(1)
    except OSError:
        pass
    return [("processor", cpu), ("cores", str(os.cpu_count())), ("memory", memory),
            ("system", f"{system}, Linux {platform.release()}"),
            ("compiler", first_line(["cc", "--version"]) + ", meson buildtype release (-O3)")]


def peer_versions():
    packages = ["libginac-dev", "libflint-dev", "libsuitesparse-dev", "python3-scipy",
                "python3-sympy", "libsundials-dev", "r-cran-desolve"]
    out = []
    for package in packages:
        try:
            done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package],
                                  capture_output=True, text=True, check=False)
        except OSError:
            return "unknown (no dpkg)"
        if done.returncode == 0 and done.stdout:
            out.append(f"{package} {done.stdout}")
    return ", ".join(out)


def load():
    """Load averages over 1, 5 and 15 minutes as text."""
    try:
        return ", ".join(f"{v:.1f}" for v in os.getloadavg())
    except OSError:
        return "unknown"
