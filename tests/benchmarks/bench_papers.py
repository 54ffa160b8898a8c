"""The claims of the papers: in how many seeds each holds, with the outcome as it is and with the outcome shuffled.

    python tests/benchmarks/bench_papers.py [KEY ...]               # as on the screen (seed 1), with times
    python tests/benchmarks/bench_papers.py hamer --seeds 2-11      # these seeds, for exhibits whose key begins with KEY
    python tests/benchmarks/bench_papers.py hamer --seeds 2-11 --shuffled [--write]     # keep the counts in tried.json

Counts of seeds that were tried before are replaced. Studies run in this process, by one thread. --tables 3 averages the simulation
of Hamer & Dupont over 3 tables instead of 10, in a third of the time and with more noise.
"""

import argparse
import json
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

from stabcore.papers import hamer
from stabcore.papers.catalog import EXHIBITS
from stabcore.papers.exhibit import TRIALS_FILE, Source, check_exhibit

PROTOCOLS = Path(__file__).resolve().parents[2] / "sample_data" / "papers"


def other_source(folder, seed, shuffled, **running):
    """A Source of the papers' settings with another seed. shuffled: outcomes permuted."""
    here = folder / f"{'noise' if shuffled else 'real'}-{seed}"
    here.mkdir(parents=True, exist_ok=True)
    for path in PROTOCOLS.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        assert text.count("random_state = 1\n") == 1
        about = tomllib.loads(text)["data"]
        frame = pd.read_csv(PROTOCOLS / about["file"], dtype=str, keep_default_na=False)
        if shuffled:
            frame[about["target"]] = np.random.default_rng(seed).permutation(frame[about["target"]].to_numpy())
        table = f"{path.stem}.csv"
        frame.to_csv(here / table, index=False)
        (here / path.name).write_text(
            text.replace("random_state = 1\n", f"random_state = {seed}\n").replace(f'"{about["file"]}"', f'"{table}"'),
            encoding="utf-8",
        )
    return Source(here, studies=here / "kept", random_state=seed, shuffled=shuffled, **running)


def main(asked):
    wanted = [
        exhibit
        for key, exhibit in EXHIBITS.items()
        if key.startswith(tuple(asked.which)) and (exhibit.outcome or not asked.shuffled)
    ]
    hamer.TABLES = asked.tables or hamer.TABLES
    first, _, last = asked.seeds.partition("-")
    held = {exhibit.key: {claim.text: [] for claim in exhibit.claims} for exhibit in wanted}
    folder = asked.folder or Path(tempfile.mkdtemp())
    with ThreadPoolExecutor(1) as executor:
        for seed in range(int(first), int(last or first) + 1):
            source = other_source(folder, seed, asked.shuffled, executor=executor)
            for exhibit in wanted:
                begun = time.perf_counter()
                result = check_exhibit(exhibit, source)
                print(f"{exhibit.key}, seed {seed}{', outcome shuffled' * asked.shuffled} ({time.perf_counter() - begun:.1f} s)")
                for claim, holds, numbers in result.claims:
                    held[exhibit.key][claim.text].append(holds)
                    print(f"  {'+' if holds else '-'} {claim.text} {numbers}", flush=True)
    for key, claims in held.items():
        for claim, outcomes in claims.items():
            print(f"{key:24} {sum(outcomes):3} of {len(outcomes):3}  {claim}")
    if asked.write:
        keep(held, asked.shuffled)


def keep(held, shuffled):
    """Write the counts to the file, in the order of the catalogue, without former claims."""
    before = json.loads(TRIALS_FILE.read_text(encoding="utf-8")) if TRIALS_FILE.exists() else {}
    counts = {
        exhibit.key: {claim.text: (before.get(exhibit.key, {}).get(claim.text, []) + [0, 0, 0, 0])[:4] for claim in exhibit.claims}
        for exhibit in EXHIBITS.values()
    }
    for key, claims in held.items():
        for claim, outcomes in claims.items():
            counts[key][claim][2 * shuffled : 2 * shuffled + 2] = sum(outcomes), len(outcomes)
    TRIALS_FILE.write_text(json.dumps(counts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", nargs="*", default=[""])
    parser.add_argument("--seeds", default="1", help="one, or the first and the last")
    parser.add_argument("--shuffled", action="store_true", help="with the outcome shuffled")
    parser.add_argument("--tables", type=int, help="simulated tables of a trial of hamer-figure-8")
    parser.add_argument("--folder", type=Path, help="where studies are kept, to be used again")
    parser.add_argument("--write", action="store_true")
    main(parser.parse_args())
