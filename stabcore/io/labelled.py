"""Files of SPSS, Stata, SAS and R, opened in a process of their own: labels of values are levels, those of columns names."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from stabcore.io.files import MAX_CELLS, refuse_many_cells
from stabcore.errors import InputError
from stabcore.wording import listed, shown

LABELLED = {".sav": "SPSS", ".zsav": "SPSS", ".dta": "Stata", ".xpt": "SAS", ".rds": "R"}
SECONDS = 120
_NEEDS = {".sav": "pyreadstat", ".zsav": "pyreadstat", ".rds": "pyreadr"}
_INSTEAD = {"SPSS": "save the table as CSV in SPSS (File, Save As, CSV, with value labels)",
            "Stata": "save it as CSV in Stata: export delimited using table.csv", "SAS": "save it as CSV in SAS (proc export)",
            "R": "save it as CSV in R: write.csv(x, 'table.csv')"}
_PROBLEMS = {"damaged": "cannot be opened as a file of {program}; it is damaged or of a kind that is not known here, so {instead}.",
             "large": "is too large or unpacks to more than can be read; leave out columns that are not needed, or {instead}.",
             "slow": "takes too long to open; {instead}.",
             "no table": "holds no single data frame (but a list, a model, or an object of Bioconductor); {instead}, for example "
                         "after x <- as.data.frame(x)."}


def labelled_frame(data: bytes, name: str, ending: str):
    """(DataFrame, notes) of a .sav, .zsav, .dta, .xpt or .rds file.

    Foreign bytes may crash or stall the libraries that read them, so that happens in another process. Raises InputError with the
    cause, and with what to install when a library is missing.
    """
    program = LABELLED[ending]
    library = _NEEDS.get(ending)
    if library and find_spec(library) is None:
        raise InputError(f"Files of {program} ({ending}) need the package {library}: install it with  pip install {library}  and "
                         f"start again, or {_INSTEAD[program]}.")
    child = Path(__file__).with_name("labelled_child.py")
    try:
        done = subprocess.run([sys.executable, "-I", str(child), ending, str(MAX_CELLS)], input=data, capture_output=True,
                              timeout=SECONDS, check=False)
        head, _, body = done.stdout.partition(b"\n")
        answer = json.loads(head) if done.returncode == 0 else {"problem": "damaged"}
    except subprocess.TimeoutExpired:
        answer = {"problem": "slow"}
    if "problem" in answer:
        cause = _PROBLEMS[answer["problem"]].format(program=program, instead=_INSTEAD[program])
        raise InputError(f"{'The file ' + shown(name) if name else 'The file'} {cause}")
    return _named(_frame(body), answer, program)


def _frame(body):
    import pyarrow as pa

    with pa.ipc.open_stream(body) as stream:
        frame = stream.read_pandas()
    if not len(frame):
        raise InputError("The table has column names, but no rows; there is nothing to read.")
    refuse_many_cells(*frame.shape)
    return frame


def _named(frame, answer, program):
    """The frame under the labels of its columns, where each has one of its own, and the notes."""
    names, labels = [str(name) for name in frame.columns], answer["labels"]
    wanted = [" ".join(labels.get(name, "").split()) for name in names]
    shared = {label for label in wanted if wanted.count(label) > 1 or label in names}
    new = [label if label and label not in shared and len(label) <= 60 else name for name, label in zip(names, wanted, strict=True)]
    renamed = [f"{old}: {label}" for old, label in zip(names, new, strict=True) if old != label]
    frame.columns = new
    calls = dict(zip(names, new, strict=True))
    notes = [f"A file of {program}."]
    if renamed:
        notes.append(f"Columns are called by their labels in the file: {listed(renamed)}.")
    if answer["levels"]:
        notes.append(f"Cells are shown by the labels of their values in {listed(calls[name] for name in answer['levels'])}.")
    if answer["scales"]:
        notes.append("Numbers were kept where only the ends of a scale have labels, in "
                     f"{listed(calls[name] for name in answer['scales'])}.")
    return frame, notes
