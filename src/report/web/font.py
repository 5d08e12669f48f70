#!/usr/bin/env python3
"""A subset of a mathematical font as woff2: font.py FONT OUT. What MathML written by
daetool can contain, nothing else."""

import sys

from fontTools import subset

LETTERS = "".join(chr(c) for c in range(0x20, 0x7F))
GREEK = "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩϑϕ"
SIGNS = "−×·±=≠≤≥<>∧∨¬√|(){}[],′″‴˙¨\u2061\u2062\u00a0°"
ITALIC = "".join(chr(c) for c in range(0x1D434, 0x1D468)) + "ℎ"
ITALIC_GREEK = "".join(chr(c) for c in range(0x1D6E2, 0x1D71C))


def main():
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["dtls"]
    options.hinting = False
    options.desubroutinize = True
    options.notdef_outline = True
    font = subset.load_font(sys.argv[1], options)
    worker = subset.Subsetter(options)
    worker.populate(text=LETTERS + GREEK + SIGNS + ITALIC + ITALIC_GREEK)
    worker.subset(font)
    subset.save_font(font, sys.argv[2], options)


main()
