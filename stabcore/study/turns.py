"""Turns: what belongs to a whole process, Python's warnings and the threads of linear algebra, given to one task at a time."""

from __future__ import annotations

import threading
import warnings
from contextlib import contextmanager

from stabcore.selectors.base import one_thread

TURN = threading.Lock()     # whoever changes what Python does with warnings while tasks may run here holds it as well


@contextmanager
def alone():
    """In it, no other task runs in this process, linear algebra keeps to one thread, and what this thread is warned of is
    collected: yields {sentence: None}, each sentence once, in order.

    Warnings of other threads, which are not the task's, go where they went before.
    """
    from threadpoolctl import OpenBLASController

    heard, here = {}, threading.get_ident()
    with TURN, warnings.catch_warnings():
        show = warnings.showwarning

        def hear(message, category, *where, **more):
            if threading.get_ident() == here:
                heard[f"{category.__name__}: {(str(message).strip().splitlines() or [''])[0]}"] = None
            else:
                show(message, category, *where, **more)

        warnings.showwarning = hear
        warnings.simplefilter("always")     # not "default", which hears nothing where another thread was warned before
        OpenBLASController.clear_controlling_thread(force=True)     # a limit that another thread has set would go before this one
        with one_thread():
            yield heard
