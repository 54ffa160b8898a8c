"""Forecasts of the time of a study: seconds of one run of every selector on simulated tables, and the fitted model.

python tests/benchmarks/bench_forecast.py measure: times every selector, and prints its line of stabcore/study/forecast.py.
python tests/benchmarks/bench_forecast.py measure KEY …: only these selectors.
python tests/benchmarks/bench_forecast.py: forecasts and times of short studies of bundled tables.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from noise_support import Here
from threadpoolctl import threadpool_limits

import stabcore as sc
from pages.workspace.samples import SAMPLE_FOLDER, samples
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.forecast import MAX_FACTOR, MIN_FACTOR, STARTING_SECONDS, forecast_seconds
from stabcore.study.loading import study_from_settings
from stabcore.study.presets import PRESETS

ROWS, FEATURES, LIMIT = (60, 240, 960), (15, 60, 240, 960, 3840), 12.0


def made_up(n, d, random_state=0):
    """A table of two classes, in which five features carry signal."""
    rng = np.random.default_rng(random_state)
    frame = pd.DataFrame(rng.normal(size=(n, d)).round(4), columns=[f"f{i}" for i in range(d)])
    return frame.assign(outcome=np.where(frame.iloc[:, :5].sum(axis=1) + rng.normal(size=n) > 0, "a", "b"))


def seconds_of(data, key, runs=2, **options):
    """(seconds of the fit, of all) of the fastest of some runs."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as executor:
        study = sc.Study(data, [key], plan=sc.Subsample(runs, 0.5), k="sqrt", random_state=1, **{"n_permutations": 0, **options})
        study.run(executor, store=Path(folder) / "study.stab")
        found = sc.open_study(Path(folder) / "study.stab")
        ran = [outcome for outcome in found.store.every_task(selector=found.selectors[0])]
        return min(outcome.fit_seconds for outcome in ran), min(outcome.seconds for outcome in ran)


def measure(keys):
    """Selectors on every size, as long as it is done in LIMIT seconds, and None where it is not."""
    found = []
    with threadpool_limits(1):
        for n in ROWS:
            stopped = set()
            for d in FEATURES:
                data = sc.Dataset.from_frame(made_up(n, d), target="outcome")
                for key in keys:
                    if key in stopped:
                        continue
                    start = time.perf_counter()
                    try:
                        fit, total = seconds_of(data, key)
                    except Exception as error:
                        print(key, n, d, type(error).__name__, str(error)[:80], file=sys.stderr)
                        stopped.add(key)
                        continue
                    found.append([key, n // 2, d, fit, total])
                    print(json.dumps(found[-1]), flush=True)
                    if time.perf_counter() - start > LIMIT:
                        stopped.add(key)
    took = {(key, n, d): float(f"{1000 * fit:.3g}") for key, n, d, fit, _ in found}
    for key in keys:
        print(f'"{key}": {tuple(tuple(took.get((key, n // 2, d)) for d in FEATURES) for n in ROWS)},')


def compare():
    """Short studies of the bundled tables with classes: forecast and actual processor seconds."""
    tables = [(sample.key, sc.Dataset.from_file(SAMPLE_FOLDER / sample.data["file"], **sample.roles)) for sample in samples()]
    tables = [("warming up", tables[0][1]), *tables, ("noise", sc.Dataset.from_frame(made_up(80, 2000), target="outcome"))]
    for name, data in tables:
        if not data.classes:
            continue
        study = study_from_settings(
            PRESETS["first"].settings(data.n_features) | {"plan": {"kind": "complementary_pairs", "n_pairs": 3}}, data
        )
        expected, start = forecast_seconds(study) - STARTING_SECONDS, time.process_time()
        with threadpool_limits(1):
            study.run(Here())
        took, size = time.process_time() - start, f"{data.n_rows:5} × {data.n_features:5}"
        holds = "in" if MIN_FACTOR <= took / expected <= MAX_FACTOR else "OUT OF"
        print(
            f"{name:15} {size}  forecast {expected:5.1f} s, took {took:5.1f} s, ratio {took / expected:.2f}, {holds} the range",
            flush=True,
        )


if __name__ == "__main__":
    measure(sys.argv[2:] or list(BY_KEY)) if "measure" in sys.argv else compare()
