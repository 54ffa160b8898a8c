"""Selections, sets of features, scenarios and relations as nobody should send them."""

import csv
import gzip
import io
import json
import random

import numpy as np
from hostile_cells_support import CELLS, HOSTILE
from hostile_support import FEATURES, Case, damaged
from selection_shapes_support import NAMES, RUNS, SETS, long, shapes
from selection_shapes_support import rows as table_of

VALUES = ("nothing", '""', "0", "-1", "1e999", "nan", "true", "[]", "[[]]", "[1]", '["ALT"]', '[["ALT"]]', '[["ALT", "AST"]]', '[["ALT", "AST", 0.5]]',
          '[["ALT", "AST", 2]]', '[["ALT", "AST", "x"]]', '[["ALT", "ALT", 1]]', '[["ALT", "XX", 0.5]]', '[["ALT", "AST", 0.5], ["AST", "ALT", 0.6]]', "{}",
          "{a = 1}", '{a = ["ALT"]}', '{a = ["ALT"], b = ["ALT"]}', '{"" = ["ALT", "AST"]}', "{a = []}", "1979-05-27", '"' + "x" * 3000 + '"', '"groups"', '"matrix"',
          '"sets"', "0x1F", "[nan, inf]")
KEYS = ("name", "base", "method", "threshold", "binary", "share", "edits", "pairs", "groups", "sets", "matrix", "strange")
C = np.array([[1, 0.8, 0, 0.25], [0.8, 1, 0, 0], [0, 0, 1, 0.5], [0.25, 0, 0.5, 1]])


def selections(family, rng):
    """Selections in every shape that is known, packed, coded and ended otherwise; cells and lines changed; bytes damaged."""
    for shape in shapes():
        content = shape.content if isinstance(shape.content, bytes) else shape.content.encode()
        truth = [shape.runs] if len(shape.selectors) == 1 else None
        if shape.name in ("a matrix with a column of selectors", "R's melt"):
            truth = None
        options = dict(shape.answers)
        yield Case(family, shape.name, "selections", shape.file, content, truth, options=options)
        for number in range(7):
            what, data = damaged(rng, content)
            yield Case(family, f"{shape.name} {number}: {what}", "selections", shape.file, data, options=options)
        if isinstance(shape.content, str):
            for encoding in ("utf-8-sig", "utf-16", "cp1252"):
                yield Case(family, f"{shape.name} as {encoding}", "selections", shape.file, shape.content.encode(encoding), truth, options=options)
            yield Case(family, f"{shape.name}, Windows", "selections", shape.file, content.replace(b"\n", b"\r\n"), truth, options=options)
            yield Case(family, f"{shape.name}, packed", "selections", f"{shape.file}.gz", gzip.compress(content, mtime=0), truth, options=options)
            yield Case(family, f"{shape.name}, pasted", "selections", shape.file, content, truth, options=options)
    for cell in CELLS:
        table = [list(map(str, row)) for row in RUNS]
        table[2][1] = cell
        file = io.StringIO()
        csv.writer(file).writerows([NAMES, *table])
        yield Case(family, f"a cell {cell[:20]!r}", "selections", "r.csv", file.getvalue().encode("utf-8", "replace"))
    for kind, name in HOSTILE.items():
        for what, lines in (("a matrix", [[name, *NAMES[1:]], *RUNS]), ("a long table", [["run", "feature"], *[[i % 3, one] for i in range(6) for one in ("ALT", name)]]),
                            ("lists", [["ALT", name], ["AST", name], ["ALT", "AST"]])):
            file = io.StringIO()
            csv.writer(file).writerows(lines)
            yield Case(family, f"{what} with {kind}", "selections", "r.csv", file.getvalue().encode("utf-8", "surrogatepass"))
        yield Case(family, f"a selector {kind}", "selections", "r.csv", long(selectors=("A", "B")).replace("A\n", json.dumps(name) + "\n").encode())
    odd = {"one run": "a,b\n1,0\n", "one feature": "a\n1\n0\n1\n", "all zeros": table_of([(0,) * 4] * 5), "all ones": table_of([(1,) * 4] * 5), "negative": table_of([(-1, 0, 1, 0)] * 4),
           "ranks": table_of([(1, 2, 3, 4), (2, 1, 3, 4), (1, 3, 2, 4)]), "ranks of 0": table_of([(0, 1, 2, 3), (1, 0, 2, 3)]), "ranks tied": table_of([(1, 1, 2, 3)] * 3), "huge": table_of(
               [(1e308, -1e308, 0, 1)] * 3), "infinite": table_of([("inf", 0, 1, 2)] * 3), "nan": table_of([("nan", 0, 1, 1)] * 3), "tiny": table_of([(1e-320, 0, 1, 0)] * 3), "wide": ",".join(
                   f"g{i}" for i in range(3000)) + "\n" + (",".join("01"[i % 2] for i in range(3000)) + "\n") * 3, "runs twice": "run,a,b\n1,1,0\n1,0,1\n", "a feature twice in a list":
           "ALT,ALT\nALT,AST\n", "empty lists": "\n\n\n", "a run of nothing": "1: ALT\n2:\n3: AST\n", "commas": ",,,\n,,,\n", "json": '[["ALT"], ["AST"]]', "python": "{'ALT', 'AST'}\n{'ALT'}\n"}
    for (name, text_of), kind in ((pair, kind) for pair in odd.items() for kind in (None, "selection matrix", "importances", "scores", "ranks", "sets")):
        yield Case(family, f"{name} as {kind}", "selections", "r.csv", text_of.encode(), options={"kind": kind})
    for name, make in (("a hundred thousand lines", lambda: b"a,b\n" * 100_000), ("runs of 20 000", lambda: b"a,b,c,d\n" + b"1,0,0,1\n0,1,1,0\n" * 10_000), ("a million names in a line", lambda: b"x,y,z," * 333_333),
                       ("a matrix of 5000 runs", lambda: b",".join(b"f%d" % i for i in range(999)) + b"\n" + (b"1,0,0," * 332 + b"1,0,1\n") * 5000)):
        yield Case(family, name, "selections", "r.csv", make, dangerous=True)


def sets(family, rng):
    """Gene sets and lists of groups."""
    good = b"liver\thttp://x\tALT\tAST\ttumour\n" + b"blood\t\tEGFR\tIL 6\tXX\nnone\tna\tYY\n"
    truth = {"liver": ["ALT", "AST"], "blood": ["EGFR", "IL 6"]}
    table = b"feature,group\nALT,liver\nAST,liver\nEGFR,blood\nIL 6,blood\n"
    for file, data in (("s.gmt", good), ("s.gmt.gz", gzip.compress(good, mtime=0)), ("s.csv", table), ("s.gmt", good.replace(b"\n", b"\r\n")), ("s.gmt", b"\xef\xbb\xbf" + good), ("s.gmt", good.decode(
            ).encode("utf-16")), ("s.csv", table.replace(b",", b";")), ("s.tsv", table.replace(b",", b"\t")), ("s.gmt", good + b"\n\n")):
        yield Case(family, f"good {len(data)}", "sets", file, data, truth)
    for number in range(70):
        what, data = damaged(rng, good if number % 2 else table)
        yield Case(family, f"{number}: {what}", "sets", "s.gmt" if number % 2 else "s.csv", data)
    for kind, name in HOSTILE.items():
        yield Case(family, f"a set named {kind}", "sets", "s.gmt", f"{name}\t{name}\tALT\t{name}\n".encode())
    for kind, name in list(HOSTILE.items())[::2]:
        yield Case(family, f"a group named {kind}", "sets", "s.csv", f"feature,group\nALT,{json.dumps(name)}\n".encode())
    for name, data in {"tabs": b"\t" * 9999, "one line": b"a\tb\t" + b"\t".join([b"ALT"] * 90_000), "a set twice": good + good, "lines": b"\n" * 9999, "many sets": b"".join(
            b"s%d\t\tALT\n" % i for i in range(20_000)), "GMX": b"liver\tblood\nna\tna\nALT\tEGFR\n", "no tabs": b"liver ALT AST\n", "JSON": b'{"liver": ["ALT"]}'}.items():
        for file in ("s.gmt", "s.csv", "s.gmt.gz", "s.xlsx", "s.parquet", "s"):
            yield Case(family, name, "sets", file, data)


def scenarios(family, rng):
    """Scenarios with every key of every wrong kind, deep, long, and damaged."""
    good = ('name = "mine"\nbase = "groups"\nmethod = "spearman"\nthreshold = 0.5\nbinary = true\nshare = false\nedits = [["ALT", "EGFR", 0.5]]\n'
            '[groups]\nliver = ["ALT", "AST"]\n')
    right = lambda scenario, notes: "" if scenario.groups == {"liver": ["ALT", "AST"]} and len(scenario.edits) == 1 else str(scenario)      # noqa: E731
    yield Case(family, "good", "scenario", "s.toml", good.encode(), right)
    yield Case(family, "good with a BOM", "scenario", "s.toml", b"\xef\xbb\xbf" + good.encode(), right)
    lines = dict(line.split(" = ", 1) for line in good.split("\n")[:7])
    for key in KEYS:
        for value in VALUES:
            told = {**lines, "base": '"groups"', key: value}
            yield Case(family, f"{key} = {value[:30]}", "scenario", "s.toml", "\n".join(f"{a} = {b}" for a, b in told.items()).encode())
    for number in range(80):
        what, data = damaged(rng, good.encode())
        yield Case(family, f"{number}: {what}", "scenario", "s.toml", data)
    for kind, name in HOSTILE.items():
        yield Case(family, f"named {kind}", "scenario", "s.toml", f"name = {json.dumps(name)}\nbase = \"groups\"\n[groups]\n{json.dumps(name)} = [\"ALT\", {json.dumps(name)}]\n".encode())
    deep = {"lists": "base = " + "[" * 5000, "tables": "base = " + "{a = " * 5000, "dots": "a." * 5000 + "b = 1", "dots in a head": "[" + "a." * 5000 + "b]", "dots quoted": '"a".' * 5000 + "b = 1",
            "dots single": "'a'." * 5000 + "b = 1", "heads": "".join(f"[a{i}]\n" for i in range(5000)), "digits": "threshold = " + "9" * 9999, "an open text": 'name = """' + "x" * 9999, "NUL": "base = \"\0\"",
            "the key twice": 'base = "none"\nbase = "none"', "nothing": "", "blank": " \n", "not TOML": "{", "JSON": '{"base": "none"}', "UTF-16": "", "a study": "[study]\nk = 3\n"}
    for name, text_of in deep.items():
        yield Case(family, name, "scenario", "s.toml", text_of.encode() if name != "UTF-16" else good.encode("utf-16"))
    for name, make in (("fifty thousand dots", lambda: b"a." * 50_000 + b"b = 1"), ("dots quoted", lambda: b'"a".' * 50_000 + b"b = 1"), ("quoted in a head", lambda: b"[" + b"'a'." * 50_000 + b"b]"),
                       ("lists", lambda: b"base = " + b"[" * 9_000_000), ("spaces", lambda: b"a" + b" " * 9_000_000 + b"." * 9), ("many keys", lambda: b"".join(b"k%d = 1\n" % i for i in range(900_000)))):
        yield Case(family, name, "scenario", "s.toml", make, dangerous=True)


def relations(family, rng):
    """Matrices and lists of pairs."""
    def lines(values, top=True, side=True, separator=","):
        body = [[*([name] if side else []), *map(str, row)] for name, row in zip(FEATURES, values, strict=True)]
        return "\n".join(separator.join(row) for row in ([["", *FEATURES] if side else list(FEATURES)] if top else []) + body).encode()

    pairs = "feature_a,feature_b,value\n" + "".join(f"{FEATURES[i]},{FEATURES[j]},{C[i, j]}\n" for i in range(4) for j in range(i))
    for top in (True, False):
        for side in (True, False):
            for separator, file in ((",", "c.csv"), (";", "c.csv"), ("\t", "c.tsv")):
                yield Case(family, f"{top} {side} {separator!r}", "relation", file, lines(C, top, side, separator), C)
                yield Case(family, f"{top} {side} {separator!r} comma", "relation", file, lines(C, top, side, separator).replace(b".", b","), C if separator != "," else None)
    for number, order in enumerate(rng.sample(range(24), 8)):
        mixed = list(range(4))
        random.Random(order).shuffle(mixed)
        turned = [["", *(FEATURES[j] for j in mixed)], *([FEATURES[i], *(str(C[i, j]) for j in mixed)] for i in mixed[::-1])]
        yield Case(family, f"another order {number}", "relation", "c.csv", "\n".join(map(",".join, turned)).encode(), C)
    yield Case(family, "pairs", "relation", "c.csv", pairs.encode(), C)
    yield Case(family, "pairs without a head", "relation", "c.csv", pairs.partition("\n")[2].encode(), C)
    for number in range(110):
        what, data = damaged(rng, lines(C) if number % 2 else pairs.encode())
        yield Case(family, f"{number}: {what}", "relation", "c.csv", data)
    for cell in CELLS:
        table = [[*map(str, row)] for row in C]
        table[0][1] = table[1][0] = cell
        file = io.StringIO()
        csv.writer(file).writerows([["", *FEATURES], *([name, *row] for name, row in zip(FEATURES, table, strict=True))])
        yield Case(family, f"a cell {cell[:20]!r}", "relation", "c.csv", file.getvalue().encode("utf-8", "replace"))
    for kind, name in HOSTILE.items():
        file = io.StringIO()
        csv.writer(file).writerows([["feature_a", "feature_b", "value"], ["ALT", name, "0.5"], ["ALT", "AST", "0.5"]])
        yield Case(family, f"a name {kind}", "relation", "c.csv", file.getvalue().encode())
    for name, data in {"not symmetric": b"ALT,AST\n1,0.5\n0.4,1\n", "diagonal": b"ALT,AST\n0.5,0\n0,0.5\n", "not square": b"ALT,AST\n1,0\n", "twice": b"ALT,ALT\n1,0\n0,1\n", "above 1": b"ALT,AST\n1,1.5\n1.5,1\n",
                       "half": b"ALT,AST\n1,\n0.5,1\n", "nothing": b"", "one": b"1", "names": b"ALT,AST", "strangers": b"XX,YY\n1,0\n0,1\n", "pairs of strangers": b"feature_a,feature_b,value\nXX,YY,1\n", "a pair":
                       b"ALT,AST,0.5", "an open quote": b'ALT,"AST\n1,0\n'}.items():
        for file in ("c.csv", "c.tsv", "c.txt", "c.csv.gz", "c.xlsx", "c"):
            yield Case(family, name, "relation", file, data)


FAMILIES = {"selections": selections, "sets of features": sets, "scenarios": scenarios, "relations": relations}
