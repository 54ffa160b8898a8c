"""Damaged and hostile variants of a valid study file, reproducible by a seed."""

import json
import random
import sqlite3
import zlib
from contextlib import closing, suppress

import numpy as np

import stabcore as sc
from stabcore.study.task_result import ARRAYS

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
NUMBERS = ("run", "shuffle", "repeat", "redrawn", "fit_seconds", "seconds")
ODD = (None, -1, 0, 1, 10**9, 2**63 - 1, 1.5, -0.5, "", "x" * 3000, b"", b"\0" * 9, "[]", "{}", "[1]", "null", "done", float("inf"))
JSON = (
    *(None, True, -1, 0, 10**30, 1.5, "", "x" * 200_000, [], {}, [None], [[]], [{}], {"own": 1}, ["a", "a"], [10**30]),
    ["a"] * 9999,
    *({"kind": "complementary_pairs"}, {"kind": "subsample", "n_runs": 10**9}, {"kind": "subsample", "n_runs": [5]}),
    {"kind": {}, "runs": 5},
)
SQL = {
    "view-meta": "DROP TABLE meta; CREATE VIEW meta AS SELECT 'format' AS key, '2' AS value",
    "view-meta-endless": f"DROP TABLE meta; CREATE VIEW meta AS {ENDLESS} SELECT 'format' AS key, x AS value FROM c",
    "view-task-endless": f"DROP TABLE task; CREATE VIEW task AS {ENDLESS} SELECT 'mim' AS selector, x AS run FROM c",
    "view-beside": f"CREATE VIEW more AS {ENDLESS} SELECT x FROM c",
    "trigger": "CREATE TRIGGER t AFTER INSERT ON task BEGIN DELETE FROM task; END",
    "table-beside": "CREATE TABLE more (x)",
    "index-beside": "CREATE INDEX more ON task (run)",
    "index-expression": "CREATE INDEX more ON task (abs(run))",
    "no-meta": "DROP TABLE meta",
    "no-task": "DROP TABLE task",
    "nothing": "DROP TABLE task; DROP TABLE meta",
    "empty-meta": "DELETE FROM meta",
    "column-gone": "ALTER TABLE task DROP COLUMN scores",
    "column-more": "ALTER TABLE task ADD COLUMN more",
    "column-other": "ALTER TABLE task RENAME COLUMN scores TO marks",
    "generated": "DROP TABLE task; CREATE TABLE task (run, selector AS (abs(run)), PRIMARY KEY (run))",
    "check": "DROP TABLE task; CREATE TABLE task (run CHECK (run > 0), PRIMARY KEY (run))",
    "virtual": "DROP TABLE task; CREATE VIRTUAL TABLE task USING fts5(run)",
    "huge-text": "UPDATE meta SET value = printf('%.*c', 90000000, 'x') WHERE key = 'features'",
    "huge-blob": "UPDATE task SET scores = zeroblob(90000000) WHERE run = 0",
    "huge-message": "UPDATE task SET message = printf('%.*c', 3000000, 'x')",
    "deep-json": "UPDATE meta SET value = printf('%.*c', 100000, '[') WHERE key = 'features'",
    "long-number": "UPDATE meta SET value = printf('%.*c', 9999, '9') WHERE key = 'format'",
    "long-number-deep": "UPDATE meta SET value = '[' || printf('%.*c', 9999, '9') || ']' WHERE key = 'target'",
    "not-json": "UPDATE meta SET value = '{' WHERE key = 'settings'",
    "blob-json": "UPDATE meta SET value = x'00ff'",
    "nan-target": "UPDATE meta SET value = replace(value, '0', 'NaN') WHERE key = 'target'",
    "many-meta": f"INSERT INTO meta {ENDLESS} SELECT x, x FROM c LIMIT 5000",
    "many-tasks": f"INSERT INTO task (selector, run) {ENDLESS} SELECT 'mim', x + 99 FROM c LIMIT 50000",
    "many-selectors": f"INSERT INTO task (selector, run) {ENDLESS} SELECT 's' || x, 0 FROM c LIMIT 5000",
    "status": "UPDATE task SET status = 'perhaps'",
    "all-failed": "UPDATE task SET status = 'failed', scores = NULL",
    "done-without": "UPDATE task SET selected = NULL",
    "formats": "UPDATE meta SET value = '99' WHERE key = 'format'",
    "warnings": "UPDATE task SET warnings = '[1, [2]]'",
    "warnings-deep": "UPDATE task SET warnings = printf('%.*c', 9999, '[')",
    "utf-16": "UPDATE meta SET value = CAST(x'd800dc00ff' AS TEXT) WHERE key = 'classes'",
}


def good(path, runs=6):
    """A small study with everything in its file: paths, predictions, a control."""
    from concurrent.futures import ThreadPoolExecutor

    from study_support import study

    with ThreadPoolExecutor(1) as executor:
        study(("mim", "lasso"), runs=runs, n_permutations=1).run(executor, store=path)
    return path.read_bytes()


def variants(content, folder, random_state=0, n_each=150, sql=SQL):
    """Yield (name, path) of damaged copies: all SQL, then `n_each` random ones of each kind. path is reused."""
    rng, path = random.Random(random_state), folder / "variant.stab"
    for name, change in sql.items():
        path.write_bytes(content)
        if _changed(path, lambda base: base.executescript(change)):
            yield name, path
    makers = {"cut": _cut, "flipped": _flipped, "zeroed": _zeroed, "shuffled pages": _pages, "header": _header}
    for number in range(n_each):
        for kind, make in makers.items():
            path.write_bytes(make(rng, bytearray(content)))
            yield f"{kind} {number}", path
        for kind, change in {"value": _value, "array": _array, "entry": _entry, "setting": _setting}.items():
            path.write_bytes(content)
            changes = []
            if _changed(path, lambda base: changes.append(change(rng, base))):
                yield f"{kind} {number}: {changes[0]}", path


def use(path):
    """Return the StudyResult after everything that screens compute from it."""
    found = sc.open_study(path, named=True)
    answers = [found.sentence(), found.progress(), found.messages(), found.missing_runs(), found.notes, found.seconds_left(2)]
    answers += [found.most_frequent_failure(), found.tried, found.store.intact(), found.digest(), found.accuracy()]
    labels = found.finished_selectors
    for label in labels:
        answers += [found.selections(label, 2), found.selections(label), found.folds(label), found.run_numbers(label)]
    if len(labels) > 1:
        measures = ["nogueira", "jaccard", "importance_weighted", "pearson_scores", "spearman_ranks"]
        answers += [found.table(measures), found.paired(*labels[:2])]
        if found.settings.get("classifier", "none") != "none" and found.classes:
            answers += [found.indistinguishable()]
    if found.has_control and labels:
        answers += [found.noise_floor(), found.frequency_line(labels[0])]
    assert answers
    return found


def _changed(path, change) -> bool:
    with closing(sqlite3.connect(path)) as base, suppress(sqlite3.Error):
        base.executescript("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        change(base)
        base.commit()
        return True
    return False


def _cut(rng, content):
    return content[: rng.randrange(len(content))]


def _flipped(rng, content):
    for _ in range(rng.choice((1, 1, 3, 30))):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return content


def _zeroed(rng, content):
    start = rng.randrange(len(content) // 4096) * 4096
    content[start : start + 4096] = bytes(4096) if rng.random() < 0.5 else b"\xff" * 4096
    return content


def _pages(rng, content):
    first, second = (rng.randrange(len(content) // 4096) * 4096 for _ in range(2))
    content[first : first + 4096] = content[second : second + 4096]
    return content


def _header(rng, content):
    content[rng.randrange(108)] = rng.randrange(256)
    return content


def _some_task(rng, base):
    return "" if rng.random() < 0.3 else f" WHERE run = {rng.randrange(6)}"


def _value(rng, base):
    name, value = rng.choice((*NUMBERS, "selector", "status", "message", "warnings", *ARRAYS)), rng.choice(ODD)
    base.execute(f"UPDATE OR REPLACE task SET {name} = ?{_some_task(rng, base)}", (value,))
    return f"{name} = {str(value)[:20]!r}"


def _array(rng, base):
    name = rng.choice(list(ARRAYS))
    numbers = rng.choice(([], [0], [-1], [0, 0], [7, 3], list(range(50)), [10**9] * 7, [0] * 2_000_000))
    with suppress(OverflowError):
        numbers = np.array(numbers).astype(ARRAYS[name])
    if rng.random() < 0.2 and ARRAYS[name].startswith("<f"):
        numbers = np.full(7, rng.choice((np.nan, np.inf, -np.inf, 1e308)), dtype=ARRAYS[name])
    packed = zlib.compress(numbers.tobytes(), 1)
    cut = rng.random() < 0.2
    base.execute(f"UPDATE task SET {name} = ?{_some_task(rng, base)}", (packed[:-3] if cut else packed,))
    return f"{name} of {len(numbers)} numbers{' cut' * cut}"


ENTRIES = (
    *("format", "settings", "features", "classes", "target", "patients", "chance_inside", "versions", "seal"),
    *("importances_of_one_k", "begun", "scenarios", "mended", "choices", "units", "correlated"),
)


def _entry(rng, base):
    key, value = rng.choice(ENTRIES), rng.choice(JSON)
    base.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))
    return f"{key} = {str(value)[:40]}"


def _setting(rng, base):
    settings = json.loads(base.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()[0])
    into, value = settings, rng.choice(JSON)
    key = rng.choice(list(settings))
    if isinstance(into[key], dict) and rng.random() < 0.7:
        into, key = into[key], rng.choice(list(into[key]))
    elif key == "selectors" and rng.random() < 0.7:
        into, key = into[key][0], rng.choice(("label", "key", "options", "own"))
    if rng.random() < 0.2:
        into.pop(key, None)
    else:
        into[key] = value
    base.execute("UPDATE meta SET value = ? WHERE key = 'settings'", (json.dumps(settings),))
    return f"{key} = {str(value)[:40]}"
