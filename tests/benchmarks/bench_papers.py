"""What the papers found: which claims show here, how long each takes, and how often with other seeds and without any signal.

    python tests/benchmarks/bench_papers.py                 # once, all but the slowest; an error where one is not as it was kept
    python tests/benchmarks/bench_papers.py --all           # these too (some minutes on two free cores)
    python tests/benchmarks/bench_papers.py hamer [--write]     # exhibits whose key begins so; keep what shows here in tried.json
    python tests/benchmarks/bench_papers.py hamer --again 5 --shuffled 12 [--write]     # other seeds; in tried.json, trial by trial
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from papers_support import other_source
from support import ROOT

from stabcore.papers.catalog import EXHIBITS
from stabcore.papers.exhibit import shown
from stabcore.papers.source import Source
from stabcore.papers.tried import FILE, tried

SLOW = 30               # seconds
FIRST = 2               # of the other seeds
MEASURED_TIME = ("sechidis-figure-1",)      # depends on the machine, not on a seed; it has no outcome
NO_OUTCOME = ("sechidis-equation-1", "bommert-table-1", *MEASURED_TIME)


def main(asked):
    wanted = [one for key, one in EXHIBITS.items() if key.startswith(tuple(asked.which))
              and (asked.all or asked.which != [""] or one.seconds < SLOW)]
    if asked.again or asked.shuffled:
        again(wanted, asked)
    else:
        once(wanted, asked.write)


def once(wanted, write=False):
    """Every exhibit as the screen makes it; claims must come out as it was kept, or else as they do with nearly all seeds.

    That one does not show here, and the screen says so, is a result and no failure.
    """
    source, turned = Source(ROOT / "sample_data", tempfile.mkdtemp()), []
    for one in wanted:
        begun, cpu = time.perf_counter(), time.process_time()
        result = shown(one, source)
        print(f"\n{one.paper}, {one.number}: {one.title} ({time.perf_counter() - begun:.1f} s, {time.process_time() - cpu:.1f} s "
              f"of this process)\n  {result.sentence}")
        for claim, holds, numbers in result.claims:
            before = tried(one.key, claim)
            print(f"  {'shows' if holds else 'does NOT show'}{before.mark(holds) if before else ''}: {claim} ({numbers}) "
                  f"{before.sentence if before else 'Not tried.'}")
            if before is None or before.expected not in (None, holds):
                turned.append(claim)
        if write:
            keep_here(one.key, result.claims)
    if turned and not write:
        sys.exit(f"Claims that are not told as they were kept, or were never tried with other seeds: {turned}")


def again(wanted, asked):
    """Every exhibit over seeds, and with the outcome shuffled; with --write counts go to the file after each trial."""
    counts = {one.key: {claim.text: [0, 0, 0, 0] for claim in one.claims} for one in wanted}
    folder = asked.folder or Path(tempfile.mkdtemp())
    for shuffled, many in ((False, asked.again), (True, asked.shuffled)):
        for seed in range(FIRST, FIRST + many):
            source = None
            for one in wanted:
                if shuffled and one.key in NO_OUTCOME:
                    continue
                source = source or other_source(folder, seed, shuffled)
                for claim, holds, numbers in shown(one, source).claims:
                    count = counts[one.key][claim]
                    count[2 * shuffled] += holds
                    count[2 * shuffled + 1] += 1
                    print(one.key, seed, "shuffled" * shuffled, "+" if holds else "-", claim, numbers, sep="  ", flush=True)
                if asked.write:
                    keep(one.key, counts[one.key])
    for key, claims in counts.items():
        for claim, count in claims.items():
            print(f"{key:22} {count[0]:3} of {count[1]:3}   shuffled {count[2]:3} of {count[3]:3}   {claim}")


def keep(key, claims):
    """Counts of an exhibit into the file; those of more trials that are there stay, as seeds begin anew each time."""
    kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    before = kept.get(key, {})
    kept[key] = {claim: larger(count[:2], before.get(claim, [0] * 4)[:2]) + larger(count[2:], before.get(claim, [0] * 4)[2:4])
                 + before.get(claim, [])[4:] for claim, count in claims.items()}
    FILE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def keep_here(key, claims):
    """What showed on the bundled studies into the file, behind the counts of claims that were tried."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    for claim, holds, _ in claims:
        if claim in kept.get(key, {}):
            kept[key][claim] = [*kept[key][claim][:4], holds]
    FILE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def larger(count, before):
    """Of two counts (held, of so many trials) the one of more trials, the new one where they are as many."""
    return before if before[1] > count[1] else count


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("which", nargs="*", default=[""])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--again", type=int, default=0, help="other seeds")
    parser.add_argument("--shuffled", type=int, default=0, help="seeds with the outcome shuffled")
    parser.add_argument("--folder", type=Path, help="where studies with other seeds are kept, to be used again")
    parser.add_argument("--write", action="store_true")
    main(parser.parse_args())
