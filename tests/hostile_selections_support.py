"""Hostile and damaged files of selections, sets of features, scenarios and similarities."""

import gzip
import itertools
import json

from hostile_cells_support import CELLS, HOSTILE
from hostile_support import Case, damaged, under_names, written
from selection_shapes_support import NAMES, RUNS, long, shapes
from selection_shapes_support import rows as table_of

ODD = (
    *("a,b\n1,0\n", "a\n1\n0\n1\n", ",,,\n,,,\n", "run,a,b\n1,1,0\n1,0,1\n"),  # little, or nothing
    *(
        table_of([row] * 5)
        for row in ((0,) * 4, (1,) * 4, (-1, 0, 1, 0), (1e308, -1e308, 0, 1), ("inf", 0, 1, 2), ("nan", 0, 1, 1))
    ),
    *(table_of([row] * 3) for row in ((1e-320, 0, 1, 0), (1, 1, 2, 3))),
    *(table_of([(1, 2, 3, 4), (2, 1, 3, 4), (1, 3, 2, 4)]), table_of([(0, 1, 2, 3), (1, 0, 2, 3)])),  # ranks
    ",".join(f"g{i}" for i in range(3000)) + "\n" + (",".join("01"[i % 2] for i in range(3000)) + "\n") * 3,
    *("ALT,ALT\nALT,AST\n", "\n\n\n", "1: ALT\n2:\n3: AST\n", '[["ALT"], ["AST"]]', "{'ALT', 'AST'}\n{'ALT'}\n"),  # lists
    ",meanImp,normHits,decision\nALT,3,1,Confirmed\nAST,1,0.5,Tentative\nEGFR,-Inf,0,Rejected\n",
    ",run1,run2\nALT,Confirmed,Rejected\nAST,Tentative,Confirmed\nEGFR,Confirmed,Confirmed\n",
    *("variable,importance\nALT,0.2\nAST,-0.1\nEGFR,0\n", ",run,importance\nALT,1,2\nAST,1,1\nALT1,2,2\nAST1,2,1\n"),
    'run,genes\n1,"c(""ALT"", ""AST"")"\n2,"c(""ALT"", 3"\n3,c()\n',
)
KINDS = (None, "selection matrix", "importances", "scores", "ranks", "sets")


LARGE = (
    ("a hundred thousand lines", lambda: b"a,b\n" * 100_000),
    ("runs of 20 000", lambda: b"a,b,c,d\n" + b"1,0,0,1\n0,1,1,0\n" * 10_000),
    ("a million names in a line", lambda: b"x,y,z," * 333_333),
    ("a matrix of 5000 runs", lambda: b",".join(b"f%d" % i for i in range(999)) + b"\n" + (b"1,0,0," * 332 + b"1,0,1\n") * 5000),
)


def selections(rng):
    """Selections in every shape, with other compression, encoding and line ends, changed cells and lines, and damage."""
    for shape in shapes():
        yield from shaped(rng, shape)
    for cell in CELLS:
        table = [list(map(str, row)) for row in RUNS]
        table[2][1] = cell
        yield Case(f"a cell {cell[:20]!r}", "selections", "r.csv", written([NAMES, *table]).encode("utf-8", "replace"))
    for kind, name in HOSTILE.items():
        for what, lines in (
            ("a matrix", [[name, *NAMES[1:]], *RUNS]),
            ("a long table", [["run", "feature"], *[[i % 3, feature] for i in range(6) for feature in ("ALT", name)]]),
            ("lists", [["ALT", name], ["AST", name], ["ALT", "AST"]]),
        ):
            data = written(lines).encode("utf-8", "surrogatepass")
            yield Case(f"{what} with {kind}", "selections", "r.csv", data)
        data = long(selectors=("A", "B")).replace("A\n", json.dumps(name) + "\n").encode()
        yield Case(f"a selector {kind}", "selections", "r.csv", data)
    for (number, text_of), kind in itertools.product(enumerate(ODD), KINDS):
        yield Case(f"odd {number} as {kind}", "selections", "r.csv", text_of.encode(), options={"kind": kind})
    for name, make in LARGE:
        yield Case(name, "selections", "r.csv", make, dangerous=True)


def shaped(rng, shape):
    """One shape, and other ways to write it."""
    content = shape.content if isinstance(shape.content, bytes) else shape.content.encode()
    two = len(shape.selectors) != 1 or shape.name in ("a matrix with a column of selectors", "R's melt")
    truth, options = None if two else [shape.runs], dict(shape.answers)

    def case(what, data, truth=truth, file=shape.file):
        return Case(f"{shape.name}{what}", "selections", file, data, truth, options=options)

    yield case("", content)
    for number in range(7):
        what, data = damaged(rng, content)
        yield case(f" {number}: {what}", data, None)
    if isinstance(shape.content, str):
        for encoding in ("utf-8-sig", "utf-16", "cp1252"):
            yield case(f" as {encoding}", shape.content.encode(encoding))
        yield case(", Windows", content.replace(b"\n", b"\r\n"))
        yield case(", packed", gzip.compress(content, mtime=0), file=f"{shape.file}.gz")
        yield case(", pasted", content)


GOOD = b"liver\thttp://x\tALT\tAST\ttumour\n" + b"blood\t\tEGFR\tIL 6\tXX\nnone\tna\tYY\n"
NO_SETS = (
    *(b"\t" * 9999, b"a\tb\t" + b"\t".join([b"ALT"] * 90_000), GOOD + GOOD, b"\n" * 9999, b"liver ALT AST\n"),
    b'{"liver": ["ALT"]}',
    *(b"".join(b"s%d\t\tALT\n" % i for i in range(20_000)), b"liver\tblood\nna\tna\nALT\tEGFR\n"),
)


def sets(rng):
    """Gene sets and lists of groups."""
    truth = {"liver": ["ALT", "AST"], "blood": ["EGFR", "IL 6"]}
    table = b"feature,group\nALT,liver\nAST,liver\nEGFR,blood\nIL 6,blood\n"
    for file, data in (
        ("s.gmt", GOOD),
        ("s.gmt.gz", gzip.compress(GOOD, mtime=0)),
        ("s.csv", table),
        ("s.gmt", GOOD.replace(b"\n", b"\r\n")),
        ("s.gmt", b"\xef\xbb\xbf" + GOOD),
        ("s.gmt", GOOD.decode().encode("utf-16")),
        ("s.csv", table.replace(b",", b";")),
        ("s.tsv", table.replace(b",", b"\t")),
        ("s.gmt", GOOD + b"\n\n"),
    ):
        yield Case(f"good {len(data)}", "sets", file, data, truth)
    for number in range(70):
        what, data = damaged(rng, GOOD if number % 2 else table)
        yield Case(f"{number}: {what}", "sets", "s.gmt" if number % 2 else "s.csv", data)
    for kind, name in HOSTILE.items():
        yield Case(f"a set named {kind}", "sets", "s.gmt", f"{name}\t{name}\tALT\t{name}\n".encode())
    for kind, name in list(HOSTILE.items())[::2]:
        yield Case(f"a group named {kind}", "sets", "s.csv", f"feature,group\nALT,{json.dumps(name)}\n".encode())
    yield from under_names("sets", NO_SETS, ("s.gmt", "s.csv", "s.gmt.gz", "s.xlsx", "s.parquet", "s"))


FAMILIES = {"selections": selections, "sets of features": sets}
