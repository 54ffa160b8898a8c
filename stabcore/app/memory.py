"""Memory that a large file took goes back to the system; allocators keep what was freed, for a next time that may never come.

Of a table of a million long cells Arrow's allocator kept half a gigabyte for good; of one of 60 000 columns the C library's 70 MB.
"""

from __future__ import annotations

import ctypes
import time
from contextlib import suppress

SECONDS = 10                # between two looks
GROWN = 1.1                 # times what was in use after the last time: then something goes back


def of_system():
    """Let Arrow take memory from the C library from now on, which can give it back."""
    import pyarrow

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())


def give_back():
    """What was freed goes back to the system, where the C library can be told so (Linux's); the others do it by themselves."""
    with suppress(OSError, AttributeError, TypeError):         # TypeError: Windows has no library of the process itself
        ctypes.CDLL(None).malloc_trim(0)


def keep_giving_back():
    """Look again and again, for good: for a thread of its own."""
    import psutil

    process, left = psutil.Process(), 0.0
    while True:
        if process.memory_info().rss > GROWN * left:
            give_back()
            left = process.memory_info().rss
        time.sleep(SECONDS)
