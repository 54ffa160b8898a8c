"""Kill a study at random moments and let it end: how many finished tasks are lost, and is the outcome the same, bit by bit?

python tests/benchmarks/bench_kills.py [kills, 100 unless told]; about 4 seconds a kill.
"""

import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from command_support import PROMISED, kill_again_and_again, settings_file, start, tasks

import stabcore as sc
from stabcore.study.study import load_study


def main(kills=100):
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        selectors = ("mim", "lasso", "random_forest", "relieff")
        settings, store = settings_file(Path(folder), runs=4 * kills, selectors=selectors), Path(folder, "k.stab")
        with ThreadPoolExecutor(1) as executor:
            calm = load_study(settings).run(executor, store=Path(folder, "calm.stab")).digest()
        lost, outlived = kill_again_and_again(settings, store, kills, random.Random(11), latest=1.0)
        done, whole = len(tasks(store)), 4 * kills * len(selectors)
        print(f"{kills} kills, half SIGKILL, half SIGTERM, {done} of {whole} tasks done by then", flush=True)
        last = start(settings, store)
        said = last.communicate()[1]
        killed = sc.open_study(store).digest()
    print(f"  finished tasks lost: {len(lost)}")
    print(f"  workers alive {PROMISED:g} s after the study: {len(outlived)}")
    print(f"  digest undisturbed {calm[:16]}, killed {killed[:16]}: {'equal' if calm == killed else 'DIFFERENT'}")
    print(f"  {time.monotonic() - began:.0f} s; the last process said: {said.splitlines()[-1]}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
