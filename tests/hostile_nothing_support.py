"""Files without a table: empty, of another kind, in one cell, or far too large."""

import gzip

from hostile_support import Case
from table_shapes_support import NAMES, ROWS, text

WIDE, WORDS = 60_000, ("Yes", "yes", "YES", "ye\u200bs")
NOTHING = (
    *(b"", b" ", b"\n" * 5000, b"\xef\xbb\xbf", b"\xff\xfea", b"\0", b"\0" * 100_000, b"a", b"a,b,c\n", b"a,b,c"),
    *(b",,,,\n,,,,\n", b'"' * 9999, b"sep=;", gzip.compress(b"", mtime=0), gzip.compress(text([NAMES, *ROWS]), mtime=0)[:-9]),
)
QUOTES_AND_SEPARATORS = (
    *(b'a,b\n"1,2\n' + b"3,4\n" * 5000, b'a,b\n1"2,3\n', b'a,b\n"1"2,3\n', b'a,b\n"""1""",2\n', b"sep= \na b\n1 2\n"),
    *(b"sep=;\nsep=,\na;b\n1;2\n", b'sep="\na"b\n1"2\n', b"sep=a\nbac\n1a2\n", b"sep=\r\na;b\r\n1;2\r\n", b"sep=\0\na\x00b\n"),
    *("sep=ä\n1ä2\n".encode(), b"a,b,c\n1,2\n1,2,3,4\n", b"".join(b",".join([b"1"] * i) + b"\n" for i in range(1, 60))),
    *(b"a,a\n1,2\n", b"a,A , a\n1,2,3\n", b"a,,c\n1,2,3\n", b",,\n1,2,3\n", b"x\n" + b"1\n" * 30, b"a,b\n1,2"),
)
SIGNS = (
    *(b"\xef\xbb\xbf" * 2 + b"a,b\n1,2\n", b"a,b\n1,\x002\n", b"a,b\n1,\x07\n", b"a\x1b[2Jb,c\n1,2\n", b"a\x08,b\n1,2\n"),
    *(b"a,b\n1\x0b,2\n" * 20, b"a,b\n1\x0c,2\n", b"a,b\n1,2\x1a\n", b"a,b\r1,2\n3,4\r\n5,6\n\r7,8\n"),
    *("a,b\n1,2\u20283,4\x855,6\u2029\n".encode(), b"a,b\n\xed\xa0\x80,2\n", b"a,b\n\xc0\xaf,2\n", b"a,b\n\xf7\xbf\xbf\xbf,2\n"),
    b"a,b\n\x81\x8d,2\n",
)
OTHER_FILES = (
    *(b"%PDF-1.7\n" * 9, b"\x89PNG\r\n" * 9, b"<html><table>", b"<!DOCTYPE html><title>404</title>", b"<?xml version='1.0'?><a/>"),
    *(b'{"a": [1, 2], "b": [3, 4]}', b'{"a": 1}\n' * 30, b"a = 1\nb = 2\n" * 9, b"import os\nos.system('x')\n", b"{\\rtf1 a}"),
    *(b"\x80\x04\x95\x10\0\0\0\0\0\0\0\x8c\x05posix\x94.", b"#!/bin/sh\nrm -rf /\n", b"SQLite format 3\0" * 9, b"QUJD" * 3000),
    *(b"| a | b |\n|---|---|\n| 1 | 2 |\n", b"a & b \\\\\n1 & 2 \\\\\n" * 12, b"@RELATION x\n@ATTRIBUTE a NUMERIC\n@DATA\n1,2\n"),
    *(b"1 1:0.5 3:0.2\n-1 2:0.1\n" * 9, b">x\nACGT\n" * 9, b"##fileformat=VCFv4.2\n#CHROM\tPOS\n1\t2\n"),
    b"--- a\n+++ b\n@@ -1 +1 @@\n",
)
PACKED = (
    *(gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0), gzip.compress(b"a,b\n1,2\n" * 9, mtime=0) * 2),
    gzip.compress(b"a,b\n1,2\n", mtime=0) + b"rest",
)
LONG = (
    *(b"1,2,3\n4,5,6\n" * 9, b"a" * 100_000 + b",b\n1,2\n", b"a,b\n" + b"x" * 120_000 + b",1\n", b"a,b\n" + b"1" * 200_000),
    *(b"a,b\n" + b"9" * 5000 + b",1\n", b"a,b\n0." + b"3" * 5000 + b",1\n", b"a;b\n" + b"1," + b"000," * 300 + b"000;2\n"),
    *(b"a,b\n" + b"+-" * 999 + b",1\n" * 3, b"a,b\n" + "".join(f"{word},{i}\n" for i in range(9) for word in WORDS).encode()),
)
SMALL = {
    **{"nothing": NOTHING, "quotes and separators": QUOTES_AND_SEPARATORS, "signs": SIGNS, "another file": OTHER_FILES},
    **{"packed": PACKED, "long": LONG},
    "a wide line": (b",".join(b"c%d" % i for i in range(WIDE)) + b"\n" + b"1," * (WIDE - 1) + b"1\n",),
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


def monsters(rng):
    """Empty files, everything in one cell, and millions of cells in a line."""
    for name, number, data in ((name, *item) for name, contents in SMALL.items() for item in enumerate(contents)):
        for file in ("t.csv", "t.txt", "t.tsv", "t.csv.gz", "t.xlsx", "t"):
            yield Case(f"{name} {number}", "table", file, data, dangerous=name == "a wide line")
    for name, data, file in LARGE:
        yield Case(name, "table", file, data, dangerous=True)


FAMILIES = {"no tables": monsters}
