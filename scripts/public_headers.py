#!/usr/bin/env python3
"""What the library shows to others, made from the public headers.

    public_headers.py install IN OUT        a header as it is installed: other rooms are included as <daetool/ROOM/FILE.h>
    public_headers.py symbols OUT HEADER... a linker script: the functions and data that the headers declare, nothing else
    public_headers.py list HEADER...        the same names, one per line

The build calls the first two (include/meson.build, src/meson.build), tests/install compares the third with the library."""

import re
import sys
from pathlib import Path


def installed_text(text):
    return re.sub(r'^#include "([a-z]+/[a-z-]+\.h)"', r"#include <daetool/\1>", text, flags=re.M)


def top_level(text):
    """The declarations without comments, preprocessor lines and what stands inside braces."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^\s*#(?:[^\n\\]|\\\n|\\.)*$", " ", text, flags=re.M)
    text = text.replace('extern "C" {', " ")
    out, depth = [], 0
    for c in text:
        depth += c == "{"
        if depth == 0:
            out.append(c)
        depth -= c == "}" and depth > 0
    return "".join(out)


def declared(text):
    names = set()
    for declaration in top_level(text).split(";"):
        declaration = re.sub(r"G_DEFINE_AUTOPTR_CLEANUP_FUNC\([^)]*\)|G_(?:BEGIN|END)_DECLS|G_GNUC_\w+(?:\([^)]*\))?", " ", declaration)
        words = " ".join(declaration.split())
        if words.startswith(("typedef", "static")) or not words:
            continue
        function = re.match(r"[^(]*?\b(dae(?:tool)?_\w+) ?\(", words)
        data = re.match(r"extern [^(]*?\b(dae_\w+)(?: ?\[[^]]*\])*$", words)
        if function or data:
            names.add((function or data).group(1))
    return names


def names_of(headers):
    return sorted(set().union(*(declared(Path(h).read_text()) for h in headers)))


def main(action, *arguments):
    if action == "install":
        Path(arguments[1]).write_text(installed_text(Path(arguments[0]).read_text()))
    elif action == "symbols":
        lines = "".join(f"    {name};\n" for name in names_of(arguments[1:]))
        Path(arguments[0]).write_text("{\n  global:\n" + lines + "  local:\n    *;\n};\n")
    elif action == "list":
        print("\n".join(names_of(arguments)))


if __name__ == "__main__":
    main(*sys.argv[1:])
