#!/usr/bin/env python3
"""src/export/integrator.c and others as strings for the exporter:  embed_integrator.py IN OUT

Its parts (#include "export/integrator-*.inc") are read in their places.
A part becomes `static const char NAME[]` in which '@' stands for the prefix, '^' for the prefix
in upper case, "%if A" and "%end" enclose what only the feature A needs."""

import re
import sys
from pathlib import Path


def literal(line):
    return '    "' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def with_parts(path):
    """The text with its parts in their places; a part's first line says whose it is."""
    text = path.read_text()
    for name in re.findall(r'^#include "export/(integrator-\w+\.inc)"$', text, re.M):
        part = (path.parent / name).read_text().split("\n", 1)[1]
        text = text.replace(f'#include "export/{name}"\n', part)
    return text


def embedded(text, file):
    out, open_features, name, reading = [], [], None, False
    for line in text.splitlines():
        part = re.fullmatch(r"/\* part: (\w+) \*/", line)
        feature = re.fullmatch(r"#if MODEL_WITH_(\w+)", line)
        if part:
            out += ([";", ""] if name else []) + [f"static const char {part[1]}[] ="]
            name, reading = part[1], True
            continue
        # the exporter writes the tables there
        reading = reading and not line.startswith('#include "model')
        if not reading:
            continue
        if any(c in line for c in "@^") or line.startswith("%"):
            raise SystemExit(f"{file} may not contain '@' or '^': {line}")
        if feature:
            open_features.append(feature[1])
            line = f"%if {feature[1]}"
        elif open_features and line == f"#endif /* {open_features[-1]} */":
            open_features.pop()
            line = "%end"
        out.append(literal(line.replace("model_", "@_").replace("MODEL_", "^_")))
    if open_features:
        raise SystemExit(f"{file}: no #endif of {open_features[-1]}")
    return (f"/* Made from src/export/{file} by scripts/embed_integrator.py. */\n" +
            "\n".join(out) + ";\n")


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(embedded(with_parts(Path(sys.argv[1])), Path(sys.argv[1]).name))
