"""The speed of this computer with each selector, learned from its studies, for better estimates of the time.

One small file beside the projects holds keys of the catalogue and numbers, and nothing of any table. An uploaded study ran
elsewhere, so the process of a study reports its own times at its end. They are not read from study files.
"""

import json
import time
from contextlib import contextmanager, suppress
from math import isfinite, sqrt

from pages.workspace.files import write_atomically
from stabcore.base.errors import InputError

SPEED_FILE = "pace.json"  # in the folder of projects
TIMES_FILE = "study.times"  # in the folder of a project: start and end of the process of its study
MIN_FACTOR, MAX_FACTOR = 1e-3, 1e3  # beyond this factor, the time is not due to the computer


def read_speeds(home) -> dict[str, float]:
    """{key of a selector: time of its tasks here over that of stabcore.study.forecast}, empty without studies."""
    try:
        speeds = json.loads((home / SPEED_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    speeds = speeds if isinstance(speeds, dict) else {}
    return {
        key: value
        for key, value in speeds.items()
        if isinstance(value, float) and isfinite(value) and MIN_FACTOR <= value <= MAX_FACTOR
    }


@contextmanager
def record_speeds(folder, store, local=True):
    """Record the start and end of the process of a study, and then the times of its tasks. The last study counts a half.

    local: whether only this computer runs it.
    """
    from stabcore.study.forecast import measured_paces
    from stabcore.study.study_result import open_study

    began, before = time.time(), set()
    with suppress(OSError):
        (folder / TIMES_FILE).write_text(str(began), encoding="ascii")
    with suppress(OSError, InputError):
        before = open_study(store).store.finished()  # it may have run elsewhere
    try:
        yield
    finally:
        with suppress(OSError, InputError):  # no study resulted, or the disk is full: the estimates stay
            (folder / TIMES_FILE).write_text(f"{began} {time.time()}", encoding="ascii")
            if local:
                _save_speeds(folder.parent, measured_paces(open_study(store), before))


def _save_speeds(home, factors):
    speeds = read_speeds(home)
    speeds |= {key: sqrt(value * speeds.get(key, value)) for key, value in factors.items() if MIN_FACTOR <= value <= MAX_FACTOR}
    write_atomically(home / SPEED_FILE, json.dumps(speeds).encode())


def study_seconds(folder, running) -> float | None:
    """The time since a study started, or of its last run. None if unknown, as for a killed process or a clock set back."""
    try:
        began, *ended = map(float, (folder / TIMES_FILE).read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return None
    until = time.time() if running else ended[0] if ended else None
    return None if until is None or until < began else until - began
