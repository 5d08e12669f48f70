#!/usr/bin/env python3
"""Scripts and styles with their libraries, each in one small file: bundle.py LIBRARIES MAIN.js
PAGE.css OUT.js OUT.css. The licences of the libraries stand at the head of the script."""

import os
import re
import subprocess
import sys
from pathlib import Path

LIBRARIES = ("uplot", "@dagrejs/dagre", "@dagrejs/graphlib")


def licences(modules):
    """The licences as one comment that minification keeps."""
    parts = [f"{name}: {(modules / name / 'LICENSE').read_text(encoding='utf-8').strip()}"
             for name in LIBRARIES]
    return "/*! " + "\n\n".join(parts).replace("*/", "* /") + " */\n"


def bundle(modules, source, out):
    subprocess.run([modules / ".bin" / "esbuild", source, "--bundle", "--minify", "--format=iife",
                    "--charset=utf8", "--legal-comments=none", "--log-level=warning",
                    f"--outfile={out}"],
                   env={**os.environ, "NODE_PATH": str(modules)}, check=True)


def main():
    modules = Path(sys.argv[1]) / "node_modules"
    script, style, out_script, out_style = sys.argv[2:6]
    bundle(modules, script, out_script)
    bundle(modules, style, out_style)
    text = Path(out_script).read_text(encoding="utf-8")
    # the text stands inside of a script element: no end tag may occur in it
    text = re.sub(r"</(?=script)", r"<\\/", text)
    Path(out_script).write_text(licences(modules) + text, encoding="utf-8")


main()
