"""The same measurements in the formats of GEO, R, Bioconductor, SPSS, Stata and SAS, as named shapes."""

import gzip
import io
import os
import tempfile

import numpy as np
import pandas as pd
import pytest

GENES = ("TP53", "EGFR", "KRAS", "MYC", "PTEN", "RB1", "BRAF", "VHL")
PROBES = tuple(f"{1000 + i}_at" for i in range(len(GENES)))
SAMPLES = tuple(f"GSM{100 + i}" for i in range(12))
CLASSES = ("tumour", "normal") * 6


def measured(samples=SAMPLES, genes=GENES):
    """Samples × genes, each gene with its own level, as in microarrays."""
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        (rng.uniform(2, 14, len(genes)) + 0.3 * rng.normal(size=(len(samples), len(genes)))).round(4),
        index=list(samples),
        columns=list(genes),
    )


def on_its_side(frame, name="gene", **before):
    """The same table with genes in rows. before: additional first columns."""
    made = frame.T.rename_axis(None, axis=1)
    made.index.name = name
    made = made.reset_index()
    for j, (key, cells) in enumerate(before.items(), 1):
        made.insert(j, key, cells)
    return made


def series_matrix(frame, characteristics=(), end=True, samples=None):
    """A GEO series matrix. characteristics: lines with one cell per sample."""
    samples = list(frame.index if samples is None else samples)

    def line(first, cells):
        return "\t".join([first, *(f'"{cell}"' for cell in cells)])

    lines = [
        '!Series_title\t"A study of "quoted" things"',
        '!Series_geo_accession\t"GSE1"',
        "",
        line("!Sample_title", [f"biopsy {sample}" for sample in samples]),
        line("!Sample_geo_accession", samples),
        line("!Sample_source_name_ch1", ["liver"] * len(samples)),
        *(line("!Sample_characteristics_ch1", cells) for cells in characteristics),
        "!series_matrix_table_begin",
        "\t".join(f'"{name}"' for name in ("ID_REF", *frame.index)),
        *("\t".join([f'"{name}"', *("" if np.isnan(v) else repr(float(v)) for v in frame[name])]) for name in frame.columns),
    ]
    return ("\n".join([*lines, *(["!series_matrix_table_end"] if end else [])]) + "\n").encode()


def gct(frame, rows=None):
    """A GCT 1.2 file."""
    lines = [
        "#1.2",
        f"{len(frame.columns) if rows is None else rows}\t{len(frame)}",
        "\t".join(["Name", "Description", *frame.index]),
        *("\t".join([name, f"about {name}", *map(repr, frame[name].tolist())]) for name in frame.columns),
    ]
    return ("\n".join(lines) + "\n").encode()


def write_table(frame):
    """A table by write.table of R, with tabs and a header that lacks one cell."""
    text = frame.to_csv(sep="\t", index_label="")
    return text.removeprefix('""').removeprefix("\t").encode()


def labelled(ending, frame, **options):
    """Bytes of a file of SPSS, Stata or SAS by pyreadstat, or of R."""
    pyreadstat = pytest.importorskip("pyreadstat")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t" + ending)
        if ending == ".rds":
            pytest.importorskip("pyreadr").write_rds(path, frame, **options)
        else:
            write = {".sav": pyreadstat.write_sav, ".dta": pyreadstat.write_dta, ".xpt": pyreadstat.write_xport}[ending]
            write(frame, path, **options)
        with open(path, "rb") as file:
            return file.read()


def zipped(data):
    file = io.BytesIO()
    with gzip.open(file, "wb") as packed:
        packed.write(data)
    return file.getvalue()
