#!/usr/bin/env python3
"""Where the libraries of the page are: libraries.py SOURCE BUILD prints the folder that holds
node_modules.

scripts/setup installs them beside the page's sources; where that was not done, they are installed
into the build folder. The lock file fixes their versions and hashes and names no host: npm asks
the registry it is configured for. Exit code 1 and a sentence if they cannot be had."""

import shutil
import subprocess
import sys
from pathlib import Path

FILES = ("package.json", "package-lock.json")
NPM = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")


def is_installed(folder, lock):
    stamp = folder / "node_modules" / ".installed"
    return stamp.is_file() and stamp.read_bytes() == lock


def install(folder, lock):
    """Nothing, or why it failed."""
    if shutil.which("npm") is None:
        return "npm is missing"
    done = subprocess.run(NPM, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "npm could not install the libraries of the page (no network?)"
    (folder / "node_modules" / ".installed").write_bytes(lock)
    return ""


def main():
    source, build = Path(sys.argv[1]), Path(sys.argv[2])
    lock = (source / FILES[1]).read_bytes()
    for folder in (source, build):
        if is_installed(folder, lock):
            print(folder)
            return 0
    if build != source:
        build.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.copy(source / name, build / name)
    trouble = install(build, lock)
    print(trouble or build)
    return 1 if trouble else 0


sys.exit(main())
