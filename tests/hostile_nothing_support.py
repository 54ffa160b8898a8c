"""What is no table at all: nothing in it, another kind of file, everything in one cell, far too much."""

import gzip

from hostile_support import Case
from table_shapes_support import NAMES, ROWS, text

WIDE = 60_000
SMALL = {
    "nothing": b"",
    "a blank": b" ",
    "blank lines": b"\n" * 5000,
    "a BOM": b"\xef\xbb\xbf",
    "two BOMs": b"\xef\xbb\xbf" * 2 + b"a,b\n1,2\n",
    "one byte of UTF-16": b"\xff\xfea",
    "NUL": b"\0",
    "NULs": b"\0" * 100_000,
    "NUL in a cell": b"a,b\n1,\x002\n",
    "a name": b"a",
    "only names": b"a,b,c\n",
    "only names, no end": b"a,b,c",
    "only separators": b",,,,\n,,,,\n",
    "only quotes": b'"' * 9999,
    "an open quote": b'a,b\n"1,2\n' + b"3,4\n" * 5000,
    "a quote in a cell": b'a,b\n1"2,3\n',
    "text behind quotes": b'a,b\n"1"2,3\n',
    "doubled quotes": b'a,b\n"""1""",2\n',
    "sep and nothing": b"sep=;",
    "sep of blank": b"sep= \na b\n1 2\n",
    "sep twice": b"sep=;\nsep=,\na;b\n1;2\n",
    "sep of a quote": b'sep="\na"b\n1"2\n',
    "sep of a letter": b"sep=a\nbac\n1a2\n",
    "sep of an end": b"sep=\r\na;b\r\n1;2\r\n",
    "sep of NUL": b"sep=\0\na\x00b\n",
    "sep of two bytes": "sep=ä\n1ä2\n".encode(),
    "one column": b"x\n" + b"1\n" * 30,
    "one row": b"a,b\n1,2",
    "ragged": b"a,b,c\n1,2\n1,2,3,4\n",
    "growing": b"".join(b",".join([b"1"] * i) + b"\n" for i in range(1, 60)),
    "names twice": b"a,a\n1,2\n",
    "names alike": b"a,A , a\n1,2,3\n",
    "a name is missing": b"a,,c\n1,2,3\n",
    "all names missing": b",,\n1,2,3\n",
    "n_permutations": b"a,b\n1,\x07\n",
    "escape": b"a\x1b[2Jb,c\n1,2\n",
    "backspaces": b"a\x08,b\n1,2\n",
    "vertical tab": b"a,b\n1\x0b,2\n" * 20,
    "form feed": b"a,b\n1\x0c,2\n",
    "end of text": b"a,b\n1,2\x1a\n",
    "ends of lines mixed": b"a,b\r1,2\n3,4\r\n5,6\n\r7,8\n",
    "unicode ends": "a,b\n1,2\u20283,4\x855,6\u2029\n".encode(),
    "lone surrogate": b"a,b\n\xed\xa0\x80,2\n",
    "overlong": b"a,b\n\xc0\xaf,2\n",
    "beyond unicode": b"a,b\n\xf7\xbf\xbf\xbf,2\n",
    "invalid cp1252": b"a,b\n\x81\x8d,2\n",
    "PDF": b"%PDF-1.7\n" * 9,
    "a picture": b"\x89PNG\r\n" * 9,
    "a web page": b"<html><table>",
    "an error page": b"<!DOCTYPE html><title>404</title>",
    "json": b'{"a": [1, 2], "b": [3, 4]}',
    "json lines": b'{"a": 1}\n' * 30,
    "xml": b"<?xml version='1.0'?><a/>",
    "rtf": b"{\\rtf1 a}",
    "toml": b"a = 1\nb = 2\n" * 9,
    "python": b"import os\nos.system('x')\n",
    "pickle": b"\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c\x05posix\x94.",
    "shell": b"#!/bin/sh\nrm -rf /\n",
    "sqlite": b"SQLite format 3\0" * 9,
    "base64": b"QUJD" * 3000,
    "markdown": b"| a | b |\n|---|---|\n| 1 | 2 |\n",
    "latex": b"a & b \\\\\n1 & 2 \\\\\n" * 12,
    "arff": b"@RELATION x\n@ATTRIBUTE a NUMERIC\n@DATA\n1,2\n",
    "libsvm": b"1 1:0.5 3:0.2\n-1 2:0.1\n" * 9,
    "fasta": b">x\nACGT\n" * 9,
    "vcf": b"##fileformat=VCFv4.2\n#CHROM\tPOS\n1\t2\n",
    "mail": b"From: a\nTo: b\n\nhello\n",
    "diff": b"--- a\n+++ b\n@@ -1 +1 @@\n",
    "gzip of nothing": gzip.compress(b"", mtime=0),
    "gzip of gzip": gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0),
    "gzip cut": gzip.compress(text([NAMES, *ROWS]), mtime=0)[:-9],
    "gzip twice": gzip.compress(b"a,b\n1,2\n" * 9, mtime=0) * 2,
    "gzip and rest": gzip.compress(b"a,b\n1,2\n", mtime=0) + b"rest",
    "numbers as names": b"1,2,3\n4,5,6\n" * 9,
    "a long name": b"a" * 100_000 + b",b\n1,2\n",
    "a long cell": b"a,b\n" + b"x" * 120_000 + b",1\n",
    "an endless cell": b"a,b\n" + b"1" * 200_000,
    "a wide line": b",".join(b"c%d" % i for i in range(WIDE)) + b"\n" + b"1," * (WIDE - 1) + b"1\n",
    "digits": b"a,b\n" + b"9" * 5000 + b",1\n",
    "many decimals": b"a,b\n0." + b"3" * 5000 + b",1\n",
    "commas of thousands": b"a;b\n" + b"1," + b"000," * 300 + b"000;2\n",
    "signs": b"a,b\n" + b"+-" * 999 + b",1\n" * 3,
    "alike words": b"a,b\n" + "".join(f"{word},{i}\n" for i in range(9) for word in ("Yes", "yes", "YES", "ye\u200bs")).encode(),
}
LARGE = (
    ("50 million cells in a line", lambda: b"1," * 50_000_000, "t.csv"),
    ("gzip of zeros", lambda: gzip.compress(bytes(400 * 2**20)), "t.csv.gz"),
    ("gzip of lines", lambda: gzip.compress(b"a,b\n" + b"1,1\n" * 60_000_000), "t.csv.gz"),
    ("200 MB of quotes", lambda: b'"' * (200 * 2**20 - 1), "t.csv"),
    ("a million long cells", lambda: b"a,b\n" + b"%s,1\n" % (b"x" * 150) * 1_000_000, "t.csv"),
    ("100 000 lines of wide", lambda: (b"1," * 400 + b"1\n") * 100_000, "t.csv"),
    ("blank lines", lambda: b"\n" * 100_000_000, "t.csv"),
    ("distinct words", lambda: b"a,b\n" + b"".join(b"w%d,%d\n" % (i, i % 3) for i in range(2_000_000)), "t.csv"),
    ("semicolons", lambda: b";" * 100_000_000, "t.csv"),
)


def monsters(family, rng):
    """What a table is not: nothing in it, everything in one cell, millions of cells in a line."""
    for name, data in SMALL.items():
        for file in ("t.csv", "t.txt", "t.tsv", "t.csv.gz", "t.xlsx", "t"):
            yield Case(family, name, "table", file, data, dangerous=name == "a wide line")
    for name, data, file in LARGE:
        yield Case(family, name, "table", file, data, dangerous=True)


FAMILIES = {"no tables": monsters}
