"""Formats that say themselves what their rows and columns are: GEO series matrix, GCT, SPSS, Stata, SAS, R."""

from __future__ import annotations

from dataclasses import replace

from stabcore.io.frame import Reading, typed, understood
from stabcore.io.gct import looks_like_gct, read_gct
from stabcore.io.geo import looks_like_series_matrix, read_series_matrix
from stabcore.io.labelled import LABELLED, labelled_frame
from stabcore.io.rows import check_names
from stabcore.io.text import decode
from stabcore.errors import InputError

_TEXT = (".txt", ".tsv", ".csv", ".gct")
_STARTS = (b"!Series_", b"!Sample_", b"#1.2", b"#1.3")


def read_known(data: bytes, name: str, ending: str) -> Reading | None:
    """The Reading of a file in one of these formats; None for any other file. Raises InputError for what is wrong in it."""
    if ending in LABELLED:
        frame, notes = labelled_frame(data, name, ending)
        columns, texts = typed(frame, check_names([str(column).strip() for column in frame.columns]))
        return understood(texts, None, notes, others=columns)
    if ending not in _TEXT or not (ending == ".gct" or data[:200].lstrip(b"\xef\xbb\xbf \t\r\n\"").startswith(_STARTS)):
        return None
    text, notes = decode(data)
    if ending == ".gct" or looks_like_gct(text):
        texts, about, numbered, more = read_gct(text)
    elif looks_like_series_matrix(text):
        texts, about, numbered, more = read_series_matrix(text)
    elif "!series_" in text[:200].lower():
        raise InputError("This file begins as a GEO series matrix, but has no table (!series_matrix_table_begin); it was cut off, "
                         "so download it again.")
    else:
        return None
    return replace(understood(texts, None, [*notes, *more], "\t", about=about), again=numbered)
