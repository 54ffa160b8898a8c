"""Scenarios and relations C as nobody should send them."""

import csv
import io
import json
import random

import numpy as np
from hostile_cells_support import CELLS, HOSTILE
from hostile_support import FEATURES, Case, damaged, under_names

VALUES = (
    *("nothing", '""', "0", "-1", "1e999", "nan", "true", "[]", "[[]]", "[1]", "{}", "{a = 1}", "{a = []}", "1979-05-27", "0x1F"),
    *('["ALT"]', '[["ALT"]]', '[["ALT", "AST"]]', '[["ALT", "AST", 0.5]]', '[["ALT", "AST", 2]]', '[["ALT", "AST", "x"]]'),
    *('[["ALT", "ALT", 1]]', '[["ALT", "XX", 0.5]]', '[["ALT", "AST", 0.5], ["AST", "ALT", 0.6]]', "[nan, inf]", '"groups"'),
    *('{a = ["ALT"]}', '{a = ["ALT"], b = ["ALT"]}', '{"" = ["ALT", "AST"]}', '"matrix"', '"sets"', '"' + "x" * 3000 + '"'),
)
KEYS = ("name", "base", "method", "threshold", "binary", "share", "edits", "pairs", "groups", "sets", "matrix", "strange")
C = np.array([[1, 0.8, 0, 0.25], [0.8, 1, 0, 0], [0, 0, 1, 0.5], [0.25, 0, 0.5, 1]])


DEEP = (
    *("base = " + "[" * 5000, "base = " + "{a = " * 5000, "a." * 5000 + "b = 1", "[" + "a." * 5000 + "b]", '"a".' * 5000 + "b = 1"),
    *("'a'." * 5000 + "b = 1", "".join(f"[a{i}]\n" for i in range(5000)), "threshold = " + "9" * 9999, 'name = """' + "x" * 9999),
    *('base = "\0"', 'base = "none"\nbase = "none"', "", " \n", "{", '{"base": "none"}', "[study]\nk = 3\n"),
)


LARGE = (
    ("fifty thousand dots", lambda: b"a." * 50_000 + b"b = 1"),
    ("dots quoted", lambda: b'"a".' * 50_000 + b"b = 1"),
    ("quoted in a head", lambda: b"[" + b"'a'." * 50_000 + b"b]"),
    ("lists", lambda: b"base = " + b"[" * 9_000_000),
    ("spaces", lambda: b"a" + b" " * 9_000_000 + b"." * 9),
    ("many keys", lambda: b"".join(b"k%d = 1\n" % i for i in range(900_000))),
)


GOOD = (
    'name = "mine"\nbase = "groups"\nmethod = "spearman"\nthreshold = 0.5\nbinary = true\nshare = false\n'
    'edits = [["ALT", "EGFR", 0.5]]\n'
    '[groups]\nliver = ["ALT", "AST"]\n'
)


def scenarios(family, rng):
    """Scenarios with every key of every wrong kind, deep, long, and damaged."""

    def right(scenario, notes):
        return "" if scenario.groups == {"liver": ["ALT", "AST"]} and len(scenario.edits) == 1 else str(scenario)

    yield Case(family, "good", "scenario", "s.toml", GOOD.encode(), right)
    yield Case(family, "good with a BOM", "scenario", "s.toml", b"\xef\xbb\xbf" + GOOD.encode(), right)
    lines = dict(line.split(" = ", 1) for line in GOOD.split("\n")[:7])
    for key in KEYS:
        for value in VALUES:
            told = {**lines, "base": '"groups"', key: value}
            yield Case(
                family, f"{key} = {value[:30]}", "scenario", "s.toml", "\n".join(f"{a} = {b}" for a, b in told.items()).encode()
            )
    for number in range(80):
        what, data = damaged(rng, GOOD.encode())
        yield Case(family, f"{number}: {what}", "scenario", "s.toml", data)
    for kind, name in HOSTILE.items():
        yield Case(
            family,
            f"named {kind}",
            "scenario",
            "s.toml",
            f'name = {json.dumps(name)}\nbase = "groups"\n[groups]\n{json.dumps(name)} = ["ALT", {json.dumps(name)}]\n'.encode(),
        )
    for number, data in enumerate([*(text_of.encode() for text_of in DEEP), GOOD.encode("utf-16")]):
        yield Case(family, f"deep or none {number}", "scenario", "s.toml", data)
    for name, make in LARGE:
        yield Case(family, name, "scenario", "s.toml", make, dangerous=True)


NO_RELATIONS = (
    *(b"ALT,AST\n1,0.5\n0.4,1\n", b"ALT,AST\n0.5,0\n0,0.5\n", b"ALT,AST\n1,0\n", b"ALT,ALT\n1,0\n0,1\n"),
    b"ALT,AST\n1,1.5\n1.5,1\n",
    *(b"ALT,AST\n1,\n0.5,1\n", b"", b"1", b"ALT,AST", b"XX,YY\n1,0\n0,1\n", b"feature_a,feature_b,value\nXX,YY,1\n"),
    b"ALT,AST,0.5",
    b'ALT,"AST\n1,0\n',
)


def similarities(family, rng):
    """Matrices and lists of pairs."""

    def lines(values, top=True, side=True, separator=","):
        body = [[*([name] if side else []), *map(str, row)] for name, row in zip(FEATURES, values, strict=True)]
        return "\n".join(
            separator.join(row) for row in ([["", *FEATURES] if side else list(FEATURES)] if top else []) + body
        ).encode()

    pairs = "feature_a,feature_b,value\n" + "".join(f"{FEATURES[i]},{FEATURES[j]},{C[i, j]}\n" for i in range(4) for j in range(i))
    for top in (True, False):
        for side in (True, False):
            for separator, file in ((",", "c.csv"), (";", "c.csv"), ("\t", "c.tsv")):
                yield Case(family, f"{top} {side} {separator!r}", "similarity", file, lines(C, top, side, separator), C)
                yield Case(
                    family,
                    f"{top} {side} {separator!r} comma",
                    "similarity",
                    file,
                    lines(C, top, side, separator).replace(b".", b","),
                    C if separator != "," else None,
                )
    for number, order in enumerate(rng.sample(range(24), 8)):
        mixed = list(range(4))
        random.Random(order).shuffle(mixed)
        turned = [["", *(FEATURES[j] for j in mixed)], *([FEATURES[i], *(str(C[i, j]) for j in mixed)] for i in mixed[::-1])]
        yield Case(family, f"another order {number}", "similarity", "c.csv", "\n".join(map(",".join, turned)).encode(), C)
    yield Case(family, "pairs", "similarity", "c.csv", pairs.encode(), C)
    yield Case(family, "pairs without a head", "similarity", "c.csv", pairs.partition("\n")[2].encode(), C)
    for number in range(110):
        what, data = damaged(rng, lines(C) if number % 2 else pairs.encode())
        yield Case(family, f"{number}: {what}", "similarity", "c.csv", data)
    for cell in CELLS:
        table = [[*map(str, row)] for row in C]
        table[0][1] = table[1][0] = cell
        file = io.StringIO()
        csv.writer(file).writerows([["", *FEATURES], *([name, *row] for name, row in zip(FEATURES, table, strict=True))])
        yield Case(family, f"a cell {cell[:20]!r}", "similarity", "c.csv", file.getvalue().encode("utf-8", "replace"))
    for kind, name in HOSTILE.items():
        file = io.StringIO()
        csv.writer(file).writerows([["feature_a", "feature_b", "value"], ["ALT", name, "0.5"], ["ALT", "AST", "0.5"]])
        yield Case(family, f"a name {kind}", "similarity", "c.csv", file.getvalue().encode())
    yield from under_names(family, "similarity", NO_RELATIONS, ("c.csv", "c.tsv", "c.txt", "c.csv.gz", "c.xlsx", "c"))


FAMILIES = {"scenarios": scenarios, "similarities": similarities}
