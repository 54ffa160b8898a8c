"""Risks of patients on disk: model by model in a file beside the study while they are made, then in the study file itself."""

from __future__ import annotations

import base64
import hashlib
import json
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from stabcore.study.store import Store
from stabcore.study.working_files import in_place

if TYPE_CHECKING:
    from stabcore.study.study_result import StudyResult

MOST_KEPT = 12          # questions in a study file; the oldest gives way
OFTEN = 1.0             # seconds between two writes of a file that grows
WHOLE = "0"             # the model of all rows, among those of the runs, which count from 1


def name_of(asked: dict) -> str:
    """The name of the file beside a study in which the models of a question are kept as they are made."""
    return f"risk-{hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]}.json"


class RiskFile:
    """{model: predicted risks of n patients} of one question, in a file that is whole at every moment; no path: nothing is kept."""

    def __init__(self, path: Path | None, asked: dict, n: int):
        self.path, self.asked, self._written = path, asked, 0.0
        self.models = {} if path is None else read_models(path, asked, n)

    def add(self, model: str, chances: np.ndarray):
        """Keep one model; it reaches the disk within a second or with `write`."""
        self.models[model] = chances
        if time.monotonic() - self._written > OFTEN:
            self.write()

    def write(self):
        """Put everything on the disk: beside, then in place, so that a crash leaves the old or the new."""
        self._written = time.monotonic()
        if self.path is not None:
            beside = self.path.with_suffix(".tmp")
            beside.write_text(json.dumps({"asked": self.asked, "models": packed(self.models)}), encoding="utf-8")
            in_place(beside, self.path)


def read_models(path, asked, n) -> dict:
    """The models of a question in the file beside a study; none where there is no such file, or one that is cut off."""
    with suppress(OSError, ValueError, RecursionError, AttributeError):
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept.get("asked") == asked:
            return unpacked(kept.get("models"), n)
    return {}


def packed(models) -> dict:
    """Models as text for JSON."""
    return {model: base64.b64encode(zlib.compress(np.ascontiguousarray(chances, dtype="<f8").tobytes(), 1)).decode("ascii")
            for model, chances in models.items()}


def unpacked(models, n) -> dict:
    """{model: (n,) risks} of what packed() gave; what is not n numbers from 0 to 1 is left out, as if it had not been made."""
    risks = {}
    for model, text in (models.items() if isinstance(models, dict) else ()):
        with suppress(ValueError, TypeError, zlib.error):
            tool = zlib.decompressobj()
            chances = np.frombuffer(tool.decompress(base64.b64decode(text, validate=True), 8 * n + 1), dtype="<f8")
            if tool.eof and len(chances) == n and ((chances >= 0) & (chances <= 1)).all():
                risks[model] = chances
    return risks


def in_study(result: StudyResult, asked: dict) -> dict:
    """{model: risks} of a question that the study file itself holds; empty where it does not."""
    for kept in result.store.meta("risks", {}).values():
        if isinstance(kept, dict) and kept.get("asked") == asked:
            return unpacked(kept.get("models"), len(result.target))
    return {}


def put_into_study(path, asked: dict, models: dict):
    """Keep the models of a question in the study file; its seal, if it has a whole one, is renewed."""
    store = Store(path)
    whole = store.intact()
    rest = {name: kept for name, kept in store.meta("risks", {}).items() if name != name_of(asked)}
    kept = dict(list(rest.items())[1 - MOST_KEPT:]) | {name_of(asked): {"asked": asked, "models": packed(models)}}
    store.set_meta(risks=kept)
    if whole:
        store.seal()
