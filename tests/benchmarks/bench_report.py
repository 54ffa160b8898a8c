"""The report of eight selectors × 50 runs, on a bundled study and on 102 × 12 600: seconds, megabytes, the same bytes twice."""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from benchmark_support import line, timed

import stabcore as sc
from pages.workspace.samples import SAMPLES
from stabcore.__main__ import main as command

EIGHT = {
    "mim": "mim",
    "auc": "auc",
    "variance": "variance",
    "welch_t": "welch_t",
    "anova_f": "anova_f",
    "information_gain": "information_gain",
    "random": "random",
    "random again": "random",
}
ROWS, FEATURES, SIGNAL = 102, 12_600, 40
MOST_MB = 8


def wide(folder):
    """(study file, table) of filters on a table as wide as a microarray."""
    rng, ill = np.random.default_rng(0), np.arange(ROWS) % 2
    values = rng.normal(size=(ROWS, FEATURES))
    values[:, :SIGNAL] += 1.2 * ill[:, None]
    table = folder / "wide.csv"
    pd.DataFrame(values, columns=[f"g{i}" for i in range(FEATURES)]).assign(target=np.where(ill, "ill", "well")).to_csv(
        table, index=False, float_format="%.5g"
    )
    study = sc.Study(
        sc.Dataset.from_file(table, target="target"), EIGHT, plan=sc.ComplementaryPairs(25), k=20, random_state=1, n_permutations=0
    )
    study.run(store=folder / "wide.stab", n_jobs=2)
    return folder / "wide.stab", table


def told(name, store, table, folder, target):
    """A line on two reports of one study."""
    pages, seconds = [], []
    for number in range(2):
        page = folder / f"{number}.html"
        used, refused = timed(lambda: command(["report", str(store), "--table", str(table), "-o", str(page)]), time.process_time)
        assert not refused
        seconds.append(used)
        pages.append(page.read_bytes())
    size = len(pages[0]) / 1e6
    line(
        name,
        max(seconds),
        target,
        f"{size:.1f} MB, at most {MOST_MB}: {'met' if size <= MOST_MB else 'MISSED'}; the same "
        f"bytes twice: {'yes' if pages[0] == pages[1] else 'NO'}",
    )


def main():
    with tempfile.TemporaryDirectory() as made_in:
        folder = Path(made_in)
        told("report, 8 selectors × 50 runs, 130 features", SAMPLES / "alzheimer_ad.stab", SAMPLES / "alzheimer_ad.csv", folder, 5)
        told("report, 8 selectors × 50 runs, 12 600 features", *wide(folder), folder, 20)


if __name__ == "__main__":
    sys.exit(main())
