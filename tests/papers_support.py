"""The tables of the papers' exhibits, studied again with another seed, or with their outcome shuffled."""

import shutil
import tomllib
from functools import cached_property

import numpy as np
import pandas as pd
from support import ROOT

from stabcore.papers.source import PROTOCOLS, Source
from stabcore.study.study import load_study

SAMPLES = ROOT / "sample_data"
PAIRS, ROWS = 10, 333         # of halves, where the bundled studies have 25; of a table, at most
SMALLER = {"bommert": (("n = 96", "n = 36"),), "hamer": (("runs = 30", "runs = 10"),)}      # as slow ones are tried


class Other(Source):
    """A folder whose tables are studied when an exhibit asks for them the first time."""

    @cached_property
    def _settings(self):
        return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(self.folder.glob("*.toml"))}

    def result(self, key):
        store = self.folder / f"{key}.stab"
        if not store.with_suffix(".done").exists():
            load_study(self.folder / f"{key}.toml").run(store=store, **self._running)
            store.with_suffix(".done").touch()
        return super().result(key)


def other_source(folder, seed, shuffled, **running):
    """A Source of the bundled tables with another seed everywhere; shuffled: outcomes handed out anew."""
    here = folder / f"{'noise' if shuffled else 'real'}-{seed}"
    if not (here / PROTOCOLS).exists():
        _prepare(here, seed, shuffled)
    return Other(here, kept=here / "kept", seed=seed, shuffled=shuffled, **running)


def _prepare(here, seed, shuffled):
    here.mkdir(parents=True, exist_ok=True)
    for path in SAMPLES.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        about = tomllib.loads(text)
        if "truth" in about["about"]:
            continue
        frame = pd.read_csv(SAMPLES / about["data"]["file"], dtype=str, keep_default_na=False)
        target = about["data"]["target"]
        if len(frame) > ROWS:
            frame = frame.sample(ROWS, random_state=seed)
        if shuffled:
            frame[target] = np.random.default_rng(seed).permutation(frame[target].to_numpy())
        frame.to_csv(here / about["data"]["file"], index=False)
        shutil.copy(SAMPLES / about["about"]["groups"], here)
        (here / path.name).write_text(_seeded(text, seed).replace("pairs = 25", f"pairs = {PAIRS}"), encoding="utf-8")
    (here / PROTOCOLS).mkdir()
    for path in (SAMPLES / PROTOCOLS).glob("*.toml"):
        text = _seeded(path.read_text(encoding="utf-8"), seed)
        for usual, smaller in SMALLER.get(path.stem, ()):
            assert usual in text
            text = text.replace(usual, smaller)
        (here / PROTOCOLS / path.name).write_text(text, encoding="utf-8")


def _seeded(text, seed):
    assert text.count("seed = 1\n") == 1
    return text.replace("seed = 1\n", f"seed = {seed}\n")
