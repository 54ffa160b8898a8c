"""Room on the disk: what works take, which ones nobody has touched for long, and how much a server gives.

Nothing is deleted unless somebody asks for it: a person on Start, or who runs a server, by KEEP_DAYS.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from contextlib import suppress

from stabcore.app import people
from stabcore.app.works import Work, owners, works
from stabcore.app.workspace import SETTINGS, Workspace, home
from stabcore.errors import InputError
from stabcore.wording import several, size_words

KEEP_DAYS = "STABILITY_KEEP_DAYS"       # in the environment: works that nothing has changed for so long are forgotten at the start
QUOTA = "STABILITY_QUOTA_GB"            # what all works together may take
OWN_QUOTA = "STABILITY_QUOTA_GB_EACH"   # what those of one person may take, where people sign in
DAY = 24 * 3600


def untouched(every, days) -> list[Work]:
    """Those that nothing has changed for so many days, the oldest first; never one whose study runs."""
    before = time.time() - days * DAY
    return [one for one in reversed(every) if one.changed < before and not one.workspace.running]


def taken(every) -> str:
    """What works take and what is free, as a sentence."""
    size = _sizes(every)
    own, given = _asked(OWN_QUOTA), _asked(OWN_QUOTA) or _asked(QUOTA)
    of = f" of {size_words(given * 1e9)} that this server gives {'you' if own else 'to all works together'}" if given else ""
    return f"{several(len(every), 'work')} take{'s' * (len(every) == 1)} {size_words(size)}{of}; {size_words(_free())} are free."


def kept() -> str:
    """For how long a server keeps works, as a sentence; "" where it forgets none by itself."""
    days = _asked(KEEP_DAYS)
    return f"Whenever this server is started, it forgets works that nothing has changed for {days:g} days." if days else ""


def refuse_when_full(person=people.ALONE):
    """Raise InputError where this person may begin nothing more: a quota is reached."""
    own, every = _asked(OWN_QUOTA) * 1e9, _asked(QUOTA) * 1e9
    if own and _sizes(works(person)) >= own:
        raise InputError(f"Your works may take {size_words(own)} here, and they do. Forget works on Start that are not needed any "
                         "more, or ask who runs this server.")
    if every and sum(_sizes(works(owner)) for owner in owners()) >= every:
        raise InputError(f"All works together may take {size_words(every)} here, and they do. Forget works on Start that are "
                         "not needed any more, or ask who runs this server.")


def forget_untouched() -> int:
    """At the start of a server that keeps works for a while only, whosever they are: how many were forgotten."""
    every = [one for owner in owners() for one in works(owner)] if _asked(KEEP_DAYS) else []
    old = untouched(every, _asked(KEEP_DAYS))
    for one in old:
        with suppress(InputError):          # what cannot be deleted now is tried again at the next start
            one.workspace.forget()
    return sum(not one.workspace.folder.exists() for one in old)


def unchanged(settings, person=people.ALONE) -> Workspace | None:
    """A work of this person that holds these settings and nothing else: opened before and never changed, it is opened again."""
    wanted = json.loads(json.dumps(settings))
    for folder in home().iterdir() if home().is_dir() else ():
        work = Workspace.find(folder.name, person)
        try:
            if work and work.settings == wanted and {path.name for path in folder.iterdir()} <= {SETTINGS, people.FILE}:
                return work
        except (InputError, OSError):       # damaged, or forgotten meanwhile
            continue
    return None


def _sizes(every) -> int:
    return sum(one.size for one in every)


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
