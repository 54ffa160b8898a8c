"""The same five runs of four features in the formats of R, Python, Excel and users, as named shapes."""

from dataclasses import dataclass, field

from file_support import workbook

from stabcore.io.selections import read_selectors

NAMES = ("ALT", "AST", "EGFR", "IL 6")
RUNS = ((1, 1, 0, 0), (1, 0, 1, 0), (1, 1, 0, 0), (0, 1, 0, 1), (1, 0, 0, 0))
SETS = tuple(frozenset(name for name, picked in zip(NAMES, run) if picked) for run in RUNS)


@dataclass(frozen=True)
class Shape:
    """One file: its name, content, required answers, and selections by selector."""

    name: str
    content: str | bytes
    answers: dict = field(default_factory=dict)
    selectors: tuple = ("",)
    file: str = "runs.csv"
    runs: tuple = SETS


def rows(cells, header=NAMES, side=None, separator=",", corner=""):
    """A table as text. side: names of rows under a corner cell, which None leaves out as write.table does."""
    top = [list(header)] if header else []
    if side:
        cells = [[name, *row] for name, row in zip(side, cells, strict=True)]
        top = [[corner, *row] if corner is not None else row for row in top]
    return "\n".join(separator.join(map(str, row)) for row in [*top, *cells]) + "\n"


def said(yes, no, table=RUNS):
    """The runs with other words for selected and not selected."""
    return [[yes if picked else no for picked in run] for run in table]


def quoted(names):
    return [f'"{name}"' for name in names]


def turned(table=RUNS):
    return list(zip(*table, strict=True))


def long(value=None, selectors=(), head="run,feature", zeros=False, runs=RUNS):
    """One line per run and selected feature, or with zeros per feature."""
    lines = [",".join(filter(None, [head, value, "selector" if selectors else ""]))]
    for selector in selectors or ("",):
        for number, run in enumerate(runs, 1):
            lines += [
                ",".join(filter(None, [str(number), name, str(picked) if value else "", selector]))
                for name, picked in zip(NAMES, run)
                if picked or zeros
            ]
    return "\n".join(lines) + "\n"


def lists(separator=", ", runs=SETS):
    return "\n".join(separator.join(sorted(run)) for run in runs) + "\n"


def shapes():
    """Every shape."""
    yield from matrices([f"run {i + 1}" for i in range(5)], [f"V{i + 1}" for i in range(5)])
    yield from long_tables()
    yield from lists_of_names([f"run {i + 1}" for i in range(5)], [f"V{i + 1}" for i in range(5)])


def matrices(runs, numbered):
    """Runs × features, or transposed."""
    counted, resamples = [str(i + 1) for i in range(5)], [f"Fold{i + 1}.Rep1" for i in range(5)]
    columns = {"runs_in": "columns"}
    yield Shape("0/1 without row names", rows(RUNS))
    yield Shape("TRUE/FALSE of write.csv", rows(said("TRUE", "FALSE"), quoted(NAMES), quoted(counted), corner='""'))
    truths = rows(said("TRUE", "FALSE"), quoted(NAMES), quoted(counted), " ", None)
    yield Shape("TRUE/FALSE of write.table", truths, file="runs.txt")
    yield Shape("0/1 of write.table", rows(RUNS, quoted(NAMES), quoted(counted), " ", None), file="runs.txt")
    yield Shape("write.table with tabs, no quotes", rows(RUNS, NAMES, counted, "\t", None), file="runs.tsv")
    yield Shape("write.csv2", rows(RUNS, quoted(NAMES), quoted(counted), ";", '""'))
    yield Shape("T/F", rows(said("T", "F"), NAMES, runs, corner="run"))
    yield Shape("yes/no", rows(said("yes", "no"), NAMES, runs, corner="run"))
    yield Shape("Ja/Nein with semicolons", rows(said("Ja", "Nein"), NAMES, runs, ";", "Lauf"))
    yield Shape("crosses and blanks", rows(said("x", ""), NAMES, runs, corner="run"))
    yield Shape("capital crosses, no row names", rows(said("X", "")))
    yield Shape(
        "crosses in a workbook",
        workbook(
            {"S": [["run", *NAMES], *([name, *("x" if picked else None for picked in run)] for name, run in zip(runs, RUNS))]}
        ),
        file="runs.xlsx",
    )
    titled = [["Selections"], ["run", *NAMES], *([name, *run] for name, run in zip(runs, RUNS)), [], ["1: selected"]]
    yield Shape("a matrix below a title in a workbook", workbook({"S": titled}), file="runs.xlsx")
    yield Shape("crosses below a title", "Selections\n" + rows(said("x", ""), NAMES, runs, corner="run"))
    yield Shape("1 and blanks", rows(said("1", ""), NAMES, runs, corner="run"))
    yield Shape("plus and minus", rows(said("+", "-"), NAMES, runs, corner="fold"))
    yield Shape(
        "numpy prints truths",
        "\n".join(f"[{' '.join(row)}]" for row in said(" True", "False")),
        file="runs.txt",
        runs=tuple(frozenset(f"f{j + 1}" for j, picked in enumerate(run) if picked) for run in RUNS),
        answers={"runs_in": "rows"},
    )
    yield Shape("features in rows, runs named", rows(turned(), runs, NAMES, corner="feature"))
    yield Shape("sapply with caret's resamples", rows(turned(said("TRUE", "FALSE")), quoted(resamples), quoted(NAMES), corner='""'))
    yield Shape("sapply, columns numbered", rows(turned(), quoted(numbered), quoted(NAMES), corner='""'), columns)
    yield Shape("sapply by write.table", rows(turned(), quoted(runs), quoted(NAMES), " ", None), file="runs.txt")
    yield Shape("genes in rows, no names of runs", rows(turned(), ["a", "b", "c", "d", "e"], NAMES, corner="gene"))
    yield Shape("more rows than columns, both named", rows(RUNS, NAMES, list("vwxyz"), corner=""), {"runs_in": "rows"})
    yield Shape(
        "a matrix with a column of selectors",
        "selector," + rows([*RUNS, *RUNS], NAMES).replace("\n1", "\nA,1").replace("\n0", "\nA,0"),
        selectors=("A",),
    )


def long_tables():
    """One line per run and feature."""
    yield Shape("a tidy table", long())
    yield Shape("a tidy table with 0/1", long("value", zeros=True))
    yield Shape("a tidy table with the importance", long("importance"), runs=SETS)
    yield Shape("a tidy table of two selectors", long(selectors=("lasso", "forest")), selectors=("lasso", "forest"))
    both = ("lasso", "forest")
    yield Shape("a tidy table of two selectors with 0/1", long("selected", both, zeros=True), selectors=both)
    yield Shape("a tidy table below a title", "Table S3. Selected genes\n" + long())
    yield Shape("Run.ID and Gene", long(head="Run.ID,Gene"))
    yield Shape("German words", long(head="Durchlauf,Merkmal"))
    yield Shape("R's stack", "values,ind\n" + "".join(f"{name},run{i + 1}\n" for i, run in enumerate(SETS) for name in sorted(run)))
    yield Shape(
        "R's melt",
        "Var1,Var2,value\n"
        + "".join(f"{i + 1},{name},{picked}\n" for i, run in enumerate(RUNS) for name, picked in zip(NAMES, run)),
    )
    with_none = long(runs=(*RUNS[:4], (0, 0, 0, 0), RUNS[4]))
    yield Shape("a run that selected nothing", with_none, {"empty_runs": "nothing"}, runs=(*SETS, frozenset()))
    all_in_one = "".join(f"{i + 1},{';'.join(sorted(run))}\n" for i, run in enumerate(SETS))
    yield Shape("a cell with all features", "run,features\n" + all_in_one)
    folds = "".join(f"1,{i + 1},{name}\n" for i, run in enumerate(SETS) for name in sorted(run))
    yield Shape("repeat and fold", "repeat,fold,feature\n" + folds)


def lists_of_names(runs, numbered):
    """The names that each run selected."""
    columns = {"runs_in": "columns"}
    char = list(zip(*[[*sorted(run), *[""] * (2 - len(run))] for run in SETS], strict=True))
    yield Shape("one list a line", lists(), file="runs.txt")
    named = "".join(f"run {i + 1}: {', '.join(sorted(run))}\n" for i, run in enumerate(SETS))
    yield Shape("lists with names of runs", named, file="runs.txt")
    yield Shape("lists with numbers of runs", "".join(f"{i + 1},{','.join(sorted(run))}\n" for i, run in enumerate(SETS)))
    yield Shape(
        "lists by selector",
        "".join(f"{who}: {', '.join(sorted(run))}\n" for who in ("lasso", "forest") for run in SETS),
        selectors=("lasso", "forest"),
        file="runs.txt",
    )
    yield Shape("lists in columns named run", rows(char, runs))
    of_sapply = rows([quoted(row) for row in char], quoted(numbered), quoted(["1", "2"]), corner='""')
    yield Shape("a character matrix of sapply", of_sapply, columns)
    yield Shape("lists of Python", "\n".join(str(sorted(run)) for run in SETS), file="runs.txt")


# ---- files of several selectors ----


def read_selections(source, name=None, **options):
    """Selections of the only selector of a file."""
    (selected,) = read_selectors(source, name, **options).values()
    return selected
