"""The bundled studies."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

SAMPLE_FOLDER = Path(__file__).resolve().parents[2] / "sample_data"  # beside app.py, in a checkout or installed by pip


@dataclass(frozen=True)
class Sample:
    """A bundled study: its settings file with title, description, source and licence, its groups and its results."""

    key: str
    about: dict
    settings: Path

    @property
    def store(self) -> Path:
        return self.settings.with_suffix(".stab")

    @property
    def groups(self) -> Path | None:
        return SAMPLE_FOLDER / self.about["groups"] if "groups" in self.about else None

    @classmethod
    def from_file(cls, path) -> Sample | None:
        """The bundled study of a settings file, if the file exists and has a description."""
        about = _read_settings(path, path.stat().st_mtime_ns).get("about") if path.is_file() else None
        return cls(path.stem, about, path) if about else None

    @property
    def is_simulated(self) -> bool:
        """Whether its table is simulated, so that the truth is known."""
        return "truth" in self.about

    @property
    def data(self) -> dict:
        """Its table and roles from the settings file: file, target, exclude, …"""
        return _read_settings(self.settings, self.settings.stat().st_mtime_ns)["data"]

    @property
    def roles(self) -> dict:
        """Target and columns to leave out, without the file."""
        return {key: value for key, value in self.data.items() if key not in ("file", "name")}


@lru_cache(maxsize=32)
def _read_settings(path, changed) -> dict:
    """A settings file, read once, because every screen needs it in every rerun."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def samples() -> list[Sample]:
    """The bundled studies, in the order of their settings files."""
    readable = filter(None, map(Sample.from_file, SAMPLE_FOLDER.glob("*.toml")))
    return sorted(readable, key=lambda sample: (sample.about.get("order", 99), sample.key))
