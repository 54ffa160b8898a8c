"""Storage of computations after a study: piece by piece in a file next to the study, then in the study file.

Pieces are arrays of numbers from 0 to 1: risks of patients (one model per piece), or selections for an interval for new patients.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stabcore.base.errors import InputError
from stabcore.study.store import Store
from stabcore.study.working_files import StudyLock, cancel_file, replace_file

if TYPE_CHECKING:
    from stabcore.study.study_result import StudyResult


MAX_QUESTIONS = 12  # limit of questions in a study file, after which the oldest is removed
WRITING_INTERVAL = 1.0  # seconds between two writes of a growing file
ALL_ROWS = "0"  # the model of all rows, among those of the runs, which count from 1


class Kind(NamedTuple):
    """The kind of pieces. key: in the study file. prefix: of files next to it. dtype: of the numbers of a piece."""

    key: str
    prefix: str
    dtype: str


RISKS, INTERVALS = Kind("risks", "risk", "<f8"), Kind("patient_intervals", "interval", "|u1")


def piece_file_name(asked: dict, kind: Kind = RISKS) -> str:
    """The name of the file next to a study for the pieces of a question while they are computed."""
    return f"{kind.prefix}-{hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]}.json"


class PieceFile:
    """{piece: n numbers} of one question, in a file that is complete at any time. Without a path, nothing is kept."""

    def __init__(self, path: Path | None, asked: dict, n: int, kind: Kind = RISKS):
        self.path, self.asked, self.kind, self._written = path, asked, kind, 0.0
        self.models = {} if path is None else read_models(path, asked, n, kind)

    def add(self, model: str, chances: np.ndarray):
        """Keep one model. It reaches the disk within a second or with `write`."""
        self.models[model] = chances
        if time.monotonic() - self._written > WRITING_INTERVAL:
            self.write()

    def write(self):
        """Write everything to a new file, then replace the old one, so that a crash leaves one of them."""
        self._written = time.monotonic()
        if self.path is not None:
            beside = self.path.with_suffix(".tmp")
            beside.write_text(json.dumps({"asked": self.asked, "models": pack_pieces(self.models, self.kind)}), encoding="utf-8")
            replace_file(beside, self.path)


def read_models(path, asked, n, kind=RISKS) -> dict:
    """The pieces of a question in the file next to a study. Empty without such a file, or if it is incomplete."""
    with suppress(OSError, ValueError, RecursionError, AttributeError):
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.get("asked") == asked:
            return unpack_pieces(content.get("models"), n, kind)
    return {}


def pack_pieces(models, kind=RISKS) -> dict:
    """Pieces as text for JSON."""
    return {
        model: base64.b64encode(zlib.compress(np.ascontiguousarray(chances, dtype=kind.dtype).tobytes(), 1)).decode("ascii")
        for model, chances in models.items()
    }


def unpack_pieces(models, n, kind=RISKS) -> dict:
    """{piece: (n,) numbers} from the result of packed(). Anything but n numbers from 0 to 1 is left out, as if missing."""
    risks = {}
    for model, text in models.items() if isinstance(models, dict) else ():
        with suppress(ValueError, TypeError, zlib.error):
            tool = zlib.decompressobj()
            most = np.dtype(kind.dtype).itemsize * n + 1
            chances = np.frombuffer(tool.decompress(base64.b64decode(text, validate=True), most), dtype=kind.dtype)
            if tool.eof and len(chances) == n and ((chances >= 0) & (chances <= 1)).all():
                risks[model] = chances
    return risks


def read_from_study(result: StudyResult, asked: dict, n: int | None = None, kind: Kind = RISKS) -> dict:
    """{piece: (n,) numbers} of a question in the study file, or empty. n: by default the number of patients."""
    for content in result.store.meta(kind.key, {}).values():
        if isinstance(content, dict) and content.get("asked") == asked:
            return unpack_pieces(content.get("models"), n or len(result.target), kind)
    return {}


def write_to_study(path, asked: dict, models: dict, kind: Kind = RISKS):
    """Keep the pieces of a question in the study file. An intact seal is renewed."""
    store, name = Store(path), piece_file_name(asked, kind)
    intact = store.intact()
    rest = {key: content for key, content in store.meta(kind.key, {}).items() if key != name}
    content = dict(list(rest.items())[1 - MAX_QUESTIONS :]) | {name: {"asked": asked, "models": pack_pieces(models, kind)}}
    store.set_meta(**{kind.key: content})
    if intact:
        store.seal()


@contextmanager
def locked_computation(part: Path, store: Path | None) -> Iterator[Callable[[int, int], bool]]:
    """Be the only process that makes a file. Returns a function that prints progress and returns False once cancelled.

    Raises InputError while another process makes it, or runs the study that will contain it (store, None for none).
    """
    lock, cancel = StudyLock(part), cancel_file(part)
    if store is not None and StudyLock.held(store):
        raise InputError(f"{store.name} is being run by another process. Wait until the study is finished.")
    if not lock.acquire():
        raise InputError("Another process is already computing this.")

    def progress(done, total):
        print(f"{done} of {total}", file=sys.stderr, flush=True)
        return not cancel.exists()

    try:
        cancel.unlink(missing_ok=True)
        yield progress
    finally:
        cancel.unlink(missing_ok=True)
        lock.release()
