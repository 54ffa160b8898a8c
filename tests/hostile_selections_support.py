"""Selections, sets of features, scenarios and relations as nobody should send them."""

import csv
import gzip
import io
import json

from hostile_bytes_support import damaged
from hostile_cells_support import CELLS, HOSTILE
from hostile_support import Case
from selection_shapes_support import NAMES, RUNS, long, shapes
from selection_shapes_support import rows as table_of


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
                yield Case(
                    family,
                    f"{shape.name} as {encoding}",
                    "selections",
                    shape.file,
                    shape.content.encode(encoding),
                    truth,
                    options=options,
                )
            yield Case(
                family, f"{shape.name}, Windows", "selections", shape.file, content.replace(b"\n", b"\r\n"), truth, options=options
            )
            yield Case(
                family,
                f"{shape.name}, packed",
                "selections",
                f"{shape.file}.gz",
                gzip.compress(content, mtime=0),
                truth,
                options=options,
            )
            yield Case(family, f"{shape.name}, pasted", "selections", shape.file, content, truth, options=options)
    for cell in CELLS:
        table = [list(map(str, row)) for row in RUNS]
        table[2][1] = cell
        file = io.StringIO()
        csv.writer(file).writerows([NAMES, *table])
        yield Case(family, f"a cell {cell[:20]!r}", "selections", "r.csv", file.getvalue().encode("utf-8", "replace"))
    for kind, name in HOSTILE.items():
        for what, lines in (
            ("a matrix", [[name, *NAMES[1:]], *RUNS]),
            ("a long table", [["run", "feature"], *[[i % 3, one] for i in range(6) for one in ("ALT", name)]]),
            ("lists", [["ALT", name], ["AST", name], ["ALT", "AST"]]),
        ):
            file = io.StringIO()
            csv.writer(file).writerows(lines)
            yield Case(family, f"{what} with {kind}", "selections", "r.csv", file.getvalue().encode("utf-8", "surrogatepass"))
        yield Case(
            family,
            f"a selector {kind}",
            "selections",
            "r.csv",
            long(selectors=("A", "B")).replace("A\n", json.dumps(name) + "\n").encode(),
        )
    odd = {
        "one run": "a,b\n1,0\n",
        "one feature": "a\n1\n0\n1\n",
        "all zeros": table_of([(0,) * 4] * 5),
        "all ones": table_of([(1,) * 4] * 5),
        "negative": table_of([(-1, 0, 1, 0)] * 4),
        "ranks": table_of([(1, 2, 3, 4), (2, 1, 3, 4), (1, 3, 2, 4)]),
        "ranks of 0": table_of([(0, 1, 2, 3), (1, 0, 2, 3)]),
        "ranks tied": table_of([(1, 1, 2, 3)] * 3),
        "huge": table_of([(1e308, -1e308, 0, 1)] * 3),
        "infinite": table_of([("inf", 0, 1, 2)] * 3),
        "nan": table_of([("nan", 0, 1, 1)] * 3),
        "tiny": table_of([(1e-320, 0, 1, 0)] * 3),
        "wide": ",".join(f"g{i}" for i in range(3000)) + "\n" + (",".join("01"[i % 2] for i in range(3000)) + "\n") * 3,
        "runs twice": "run,a,b\n1,1,0\n1,0,1\n",
        "a feature twice in a list": "ALT,ALT\nALT,AST\n",
        "empty lists": "\n\n\n",
        "a run of nothing": "1: ALT\n2:\n3: AST\n",
        "commas": ",,,\n,,,\n",
        "json": '[["ALT"], ["AST"]]',
        "python": "{'ALT', 'AST'}\n{'ALT'}\n",
    }
    for (name, text_of), kind in (
        (pair, kind) for pair in odd.items() for kind in (None, "selection matrix", "importances", "scores", "ranks", "sets")
    ):
        yield Case(family, f"{name} as {kind}", "selections", "r.csv", text_of.encode(), options={"kind": kind})
    for name, make in (
        ("a hundred thousand lines", lambda: b"a,b\n" * 100_000),
        ("runs of 20 000", lambda: b"a,b,c,d\n" + b"1,0,0,1\n0,1,1,0\n" * 10_000),
        ("a million names in a line", lambda: b"x,y,z," * 333_333),
        (
            "a matrix of 5000 runs",
            lambda: b",".join(b"f%d" % i for i in range(999)) + b"\n" + (b"1,0,0," * 332 + b"1,0,1\n") * 5000,
        ),
    ):
        yield Case(family, name, "selections", "r.csv", make, dangerous=True)


def sets(family, rng):
    """Gene sets and lists of groups."""
    good = b"liver\thttp://x\tALT\tAST\ttumour\n" + b"blood\t\tEGFR\tIL 6\tXX\nnone\tna\tYY\n"
    truth = {"liver": ["ALT", "AST"], "blood": ["EGFR", "IL 6"]}
    table = b"feature,group\nALT,liver\nAST,liver\nEGFR,blood\nIL 6,blood\n"
    for file, data in (
        ("s.gmt", good),
        ("s.gmt.gz", gzip.compress(good, mtime=0)),
        ("s.csv", table),
        ("s.gmt", good.replace(b"\n", b"\r\n")),
        ("s.gmt", b"\xef\xbb\xbf" + good),
        ("s.gmt", good.decode().encode("utf-16")),
        ("s.csv", table.replace(b",", b";")),
        ("s.tsv", table.replace(b",", b"\t")),
        ("s.gmt", good + b"\n\n"),
    ):
        yield Case(family, f"good {len(data)}", "sets", file, data, truth)
    for number in range(70):
        what, data = damaged(rng, good if number % 2 else table)
        yield Case(family, f"{number}: {what}", "sets", "s.gmt" if number % 2 else "s.csv", data)
    for kind, name in HOSTILE.items():
        yield Case(family, f"a set named {kind}", "sets", "s.gmt", f"{name}\t{name}\tALT\t{name}\n".encode())
    for kind, name in list(HOSTILE.items())[::2]:
        yield Case(family, f"a group named {kind}", "sets", "s.csv", f"feature,group\nALT,{json.dumps(name)}\n".encode())
    for name, data in {
        "tabs": b"\t" * 9999,
        "one line": b"a\tb\t" + b"\t".join([b"ALT"] * 90_000),
        "a set twice": good + good,
        "lines": b"\n" * 9999,
        "many sets": b"".join(b"s%d\t\tALT\n" % i for i in range(20_000)),
        "GMX": b"liver\tblood\nna\tna\nALT\tEGFR\n",
        "no tabs": b"liver ALT AST\n",
        "JSON": b'{"liver": ["ALT"]}',
    }.items():
        for file in ("s.gmt", "s.csv", "s.gmt.gz", "s.xlsx", "s.parquet", "s"):
            yield Case(family, name, "sets", file, data)


FAMILIES = {"selections": selections, "sets of features": sets}
