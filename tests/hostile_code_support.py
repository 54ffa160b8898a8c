"""Files that run code if loaded carelessly: pickles, sources, settings that name code, formulas, entities."""

import gzip
import io
import pickle
import zipfile

from hostile_support import CODE_RAN, under_names

CODE = f"import os; os.environ[{CODE_RAN!r}] = '1'"


class Runs:
    """An object that runs CODE when it is unpickled."""

    def __reduce__(self):
        return exec, (CODE,)


def _zipped(**parts):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as files:
        for name, data in parts.items():
            files.writestr(name.replace("__", "/"), data)
    return content.getvalue()


def _array():
    """A NumPy file with a pickled object."""
    import numpy as np

    content = io.BytesIO()
    np.save(content, np.array([Runs()], dtype=object), allow_pickle=True)
    return content.getvalue()


CONTENTS = {
    **{f"a pickle of protocol {protocol}": pickle.dumps(Runs(), protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)},
    "a zipped pickle": gzip.compress(pickle.dumps(Runs())),
    "a pickle in an archive": _zipped(data=pickle.dumps(Runs())),
    "an array of objects": _array(),
    "a source": CODE.encode(),
    "settings that name code": b'[study]\nk = 3\nclassifier = "builtins:exec"\n[[selector]]\nown = "builtins:exec"\n',
    "a scenario that names code": b'name = "x"\nbase = "builtins:exec"\n',
    "YAML": f"!!python/object/apply:builtins.exec [{CODE!r}]\n".encode(),
    "formulas": b"a,b\n=cmd|' /C calc'!A0,1\n@SUM(1),2\n",
    "entities": b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><table><tr><td>&e;</td></tr></table>',
    "a workbook with entities": _zipped(
        xl__workbook="<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><workbook>&e;</workbook>"
    ),
}
NAMES = {
    "table": ("a.csv", "a.xlsx", "a.parquet", "a.sav", "a.rds", "a.RData", "a.dta", "a.txt.gz"),
    "selections": ("a.csv", "a.json", "a.xlsx", "a.npy", "a.rds"),
    **{"scenario": ("a.toml",), "similarity": ("a.csv", "a.npy"), "sets": ("a.gmt", "a.csv"), "study": ("a.stab",)},
}


def code(rng):
    """Each content for each upload, under each name."""
    for door, names in NAMES.items():
        yield from under_names(door, CONTENTS.values(), names)


FAMILIES = {"code": code}
