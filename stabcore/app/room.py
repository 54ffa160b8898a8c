"""Room on the disk: what works take, which ones nobody has touched for long, and how much a server gives.

Nothing is deleted unless somebody asks for it: a person on Start, or who runs a server, by KEEP_DAYS.
"""

from __future__ import annotations

import json
import os
import shutil
import time

from stabcore.app.works import Work, works
from stabcore.app.workspace import Workspace, home
from stabcore.errors import InputError
from stabcore.wording import several, size_words

KEEP_DAYS = "STABILITY_KEEP_DAYS"       # in the environment: works that nothing has changed for so long are forgotten at the start
QUOTA = "STABILITY_QUOTA_GB"            # what all works together may take
DAY = 24 * 3600


def untouched(every, days) -> list[Work]:
    """Those that nothing has changed for so many days, the oldest first; never one whose study runs."""
    before = time.time() - days * DAY
    return [one for one in reversed(every) if one.changed < before and not one.workspace.running]


def taken(every) -> str:
    """What works take and what is free, as a sentence."""
    size = sum(one.size for one in every)
    of = f" of {size_words(_asked(QUOTA) * 1e9)} that this server gives" if _asked(QUOTA) else ""
    return f"{several(len(every), 'work')} take{'s' * (len(every) == 1)} {size_words(size)}{of}; {size_words(_free())} are free."


def refuse_when_full():
    """Raise InputError where nothing more may be begun: the quota is reached."""
    quota = _asked(QUOTA)
    if quota and sum(one.size for one in works()) >= quota * 1e9:
        raise InputError(f"All works together may take {size_words(quota * 1e9)} here, and they do. Forget works on Start that are "
                         "not needed any more, or ask who runs this server.")


def forget_untouched() -> int:
    """At the start of a server that keeps works for a while only: how many were forgotten."""
    old = untouched(works(), _asked(KEEP_DAYS)) if _asked(KEEP_DAYS) else []
    for one in old:
        one.workspace.forget()
    return len(old)


def unchanged(settings) -> Workspace | None:
    """A work that holds these settings and nothing else: opened before and never changed, it can be opened again."""
    wanted = json.loads(json.dumps(settings))
    for folder in home().iterdir() if home().is_dir() else ():
        work = Workspace.find(folder.name)
        try:
            if work and work.settings == wanted and [path.name for path in folder.iterdir()] == ["workspace.json"]:
                return work
        except (InputError, OSError):       # damaged, or forgotten meanwhile
            continue
    return None


def _asked(name) -> float:
    """A number above 0 of the environment; else 0."""
    try:
        return max(0.0, float(os.environ.get(name, "0")))
    except ValueError:
        return 0.0


def _free() -> int:
    place = home()
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free
