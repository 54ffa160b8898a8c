"""How fast this computer is at each selector, learned from the studies that ran on it: so the next guess is a better one.

One small file beside the projects holds keys of the catalogue and numbers, nothing of any table. A study that somebody sends ran
elsewhere, so the process of a study tells its times when it ends; they are not read from study files.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, suppress
from math import isfinite, sqrt

from pages.workspace.files import write_whole
from stabcore.base.errors import InputError

FILE = "pace.json"  # in the folder of projects
TIMES = "study.times"  # in that of a project: when the process of its study began to run it, and when it ended
LEAST, MOST = 1e-3, 1e3  # beyond, it is no computer that is timed


def read_speeds(home) -> dict[str, float]:
    """{key of a selector: how many times as long as stabcore.study.forecast tells its tasks took here}; empty where none ran."""
    try:
        speeds = json.loads((home / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    speeds = speeds if isinstance(speeds, dict) else {}
    return {key: value for key, value in speeds.items() if isinstance(value, float) and isfinite(value) and LEAST <= value <= MOST}


@contextmanager
def learn_speeds(folder, store, here=True):
    """While the process of a study runs: when it began and ended, and then what its tasks took; the last study counts a half.

    here: or do other computers work for it?
    """
    from stabcore.study.forecast import paces
    from stabcore.study.study_result import open_study

    began, before = time.time(), set()
    with suppress(OSError):
        (folder / TIMES).write_text(str(began), encoding="ascii")
    with suppress(OSError, InputError):
        before = open_study(store).store.finished()  # it may have run elsewhere
    try:
        yield
    finally:
        with suppress(OSError, InputError):  # no study came of it, or the disk is full: the guess stays as it was
            (folder / TIMES).write_text(f"{began} {time.time()}", encoding="ascii")
            if here:
                _keep(folder.parent, paces(open_study(store), before))


def _keep(home, took):
    speeds = read_speeds(home)
    speeds |= {key: sqrt(value * speeds.get(key, value)) for key, value in took.items() if LEAST <= value <= MOST}
    write_whole(home / FILE, json.dumps(speeds).encode())


def seconds_of_study(folder, running) -> float | None:
    """For how long the study of a project has had its turn, or had it when it ran last; None where nothing tells.

    So it is of a process that was killed, and where the clock was set back meanwhile.
    """
    try:
        began, *ended = map(float, (folder / TIMES).read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return None
    until = time.time() if running else ended[0] if ended else None
    return None if until is None or until < began else until - began
