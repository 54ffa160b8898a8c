"""Memory that was freed goes back to the system, whoever took it."""

import subprocess
import sys

import pytest

HOLED = """
import psutil
from stabcore.app import memory
import pyarrow
memory.of_system()
pyarrow.array(range(9))     # it loads more for that
assert pyarrow.default_memory_pool().backend_name == "system"
held = lambda: psutil.Process().memory_info().rss / 1e6
before = held()
{taken}
full = held()
del own, last
freed = held()
memory.give_back()
print(before, full, freed, held())
"""
SMALL = "own = [bytes(3000) for _ in range(30_000)]; last = [bytes(3000) for _ in range(3)]"
ARROW = "own = [pyarrow.array(range(20_000)) for _ in range(500)]; last = pyarrow.array(range(200))"


@pytest.mark.skipif(sys.platform != "linux", reason="others give back by themselves, or cannot be told")
@pytest.mark.parametrize("taken", [SMALL, ARROW])
def test_what_was_freed_is_no_longer_held(taken):
    told = subprocess.run([sys.executable, "-c", HOLED.format(taken=taken)], check=True, capture_output=True, text=True).stdout
    before, full, _, after = map(float, told.split())
    assert full > before + 60 and after < 1.2 * before, told
