#!/usr/bin/env python3
"""The files of the page as C: embed.py OUT.c FILE...; styles, scripts and a font (in base64),
told by their endings."""

import base64
import sys


def literal(text):
    """C string literals, a line each; C compilers take 4095 characters in one, GCC any number."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    lines = escaped.split("\n")
    return "\n".join(f'  "{line}\\n"' for line in lines[:-1]) + f'\n  "{lines[-1]}"'


def content(data, is_font):
    if not is_font:
        return literal(data.decode("utf-8"))
    text = base64.b64encode(data).decode("ascii")
    return "\n".join(f'  "{text[i:i + 96]}"' for i in range(0, max(1, len(text)), 96))


def main():
    out = ["/* Made by web/embed.py. */", '#include "report/html-priv.h"', "",
           '#pragma GCC diagnostic ignored "-Woverlength-strings"', ""]
    for name, ending in (("style", ".css"), ("script", ".js"), ("font", ".woff2")):
        data = b"".join(open(path, "rb").read() for path in sys.argv[2:] if path.endswith(ending))
        out.append(f"const char dae_page_{name}[] =\n{content(data, name == 'font')};\n")
    with open(sys.argv[1], "w", encoding="utf-8") as stream:
        stream.write("\n".join(out))


main()
