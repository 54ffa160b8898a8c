"""What the papers found, over their settings files and the bundled tables: which claims show here, and how long each takes.

    python tests/benchmarks/bench_papers.py             # all but what rests on the random search and the slowest
    python tests/benchmarks/bench_papers.py --all       # these too (about ten minutes on two free cores)
    python tests/benchmarks/bench_papers.py hamer       # one paper

Ends with an error where a claim that showed when this was written does not show any more.
"""

import sys
import tempfile
import time

from support import ROOT

from stabcore.papers.catalog import EXHIBITS
from stabcore.papers.exhibit import shown
from stabcore.papers.source import Source

DOES_NOT_SHOW = {       # on these tables; which they are is part of what is taught
    "A more stable method draws more full lines, a random one none.", "By Φ, GBM is more stable than CMIM.", "φ_iw is above φ.",
    "With most learners the most stable configuration uses the variance filter.", "φ varies less than φ_pears.",
    "φ varies less than φ_iw."}
SLOW = 30               # seconds


def main(asked):
    wanted = [one for key, one in EXHIBITS.items() if any(key.startswith(name) for name in asked if name[0] != "-")
              or not [name for name in asked if name[0] != "-"] and ("--all" in asked or one.seconds < SLOW)]
    source, lost = Source(ROOT / "sample_data", tempfile.mkdtemp()), []
    for one in wanted:
        begun = time.perf_counter()
        made = shown(one, source)
        print(f"\n{one.paper}, {one.number}: {one.title} ({time.perf_counter() - begun:.1f} s)\n  {made.sentence}")
        for claim, holds, numbers in made.claims:
            print(f"  {'shows' if holds else 'does NOT show'}: {claim} ({numbers})")
            lost += [claim] if not holds and claim not in DOES_NOT_SHOW else []
    if lost:
        sys.exit(f"Claims that used to show: {lost}")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main(sys.argv[1:])
