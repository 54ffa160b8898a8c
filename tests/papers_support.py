"""The settings files of the papers with another seed, and their tables with the outcome shuffled."""

import tomllib

import numpy as np
import pandas as pd
from support import ROOT

from stabcore.papers.source import Source

PROTOCOLS = ROOT / "sample_data" / "papers"


def other_source(folder, seed, shuffled, **running):
    """A Source of the papers' settings with another seed everywhere; shuffled: outcomes permuted."""
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
    return Source(here, kept=here / "kept", random_state=seed, shuffled=shuffled, **running)
