"""Damaged study files, many: how many give something else than a sentence, the slowest. Arguments: how many of a kind, seed."""

import collections
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from damaged_support import good, use, variants

import stabcore as sc


def main(many=300, random_state=0):
    warnings.simplefilter("ignore")
    folder = Path(tempfile.mkdtemp())
    content, count, raw, slowest = good(folder / "good.stab"), collections.Counter(), collections.Counter(), (0.0, "")
    for name, path in variants(content, folder, random_state, many):
        started = time.perf_counter()
        try:
            use(path)
            count["read"] += 1
        except sc.InputError:
            count["refused"] += 1
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            raw[f"{type(error).__name__}: {str(error)[:80]} ({Path(last.filename).name}:{last.lineno}), first {name}"] += 1
        slowest = max(slowest, (time.perf_counter() - started, name))
    print(
        f"{sum(count.values()) + sum(raw.values())} variants: {dict(count)}, {sum(raw.values())} raw errors; slowest "
        f"{slowest[0]:.2f} s ({slowest[1]})"
    )
    for what, often in raw.most_common():
        print(f"{often} × {what}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
