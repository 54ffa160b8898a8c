"""A study from its settings: plain values, or a settings file with its table."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from stabcore.base.errors import InputError
from stabcore.data.dataset import Dataset
from stabcore.study.search import SearchSpace, search_study
from stabcore.study.settings import classifier_from_name, plan_from_table, read_settings, selectors_from_tables
from stabcore.study.study import Study


def study_from_settings(settings: Mapping[str, Any], data: Dataset, code: Path | None = None) -> Study:
    """The Study of plain settings (a TOML file's tables `study`, `plan` and `selector`) on a dataset.

    A selector has a key of the catalogue, or own = "module:Class" for a user-defined class. Its other entries are options. The
    same holds for a plan, with kind = for the key. A classifier is a key or "module:Class". `read_settings` has checked the
    content of a file. A table `search` draws configurations at random, on half of the rows (see stabcore.study.search).
    code: the folder whose modules may be run. None: user-defined classes are refused.
    """
    study = dict(settings.get("study", {}))
    if "search" in settings:
        drawn = dict(settings["search"])
        n, confirm = drawn.pop("n", 100), drawn.pop("confirm", ())
        space = SearchSpace(**{name: tuple(value) for name, value in drawn.items()})
        return search_study(data, space, n, plan_from_table(settings.get("plan", {}), code), study.get("random_state", 0), confirm)
    return Study(
        data,
        selectors_from_tables(settings.get("selector", []), code),
        plan=plan_from_table(settings.get("plan", {}), code),
        **study | {"classifier": classifier_from_name(study.get("classifier"), code)},
    )


def load_study(path: str | PathLike[str], *, allow_code: bool = False, **changed: Any) -> Study:
    """The Study of a TOML file, with some entries of its table [study] changed. The path of its data is relative to it.

    allow_code: whether to run the classes that it names, own = "module:Class". Their modules are next to the file.
    """
    path = Path(path)
    settings = read_settings(path)
    settings["study"] = settings.get("study", {}) | changed
    return study_from_settings(settings, _dataset(settings, path), path.resolve().parent if allow_code else None)


def load_data(path: str | PathLike[str]) -> Dataset:
    """The Dataset of the table [data] of a TOML file, with a path relative to it."""
    path = Path(path)
    return _dataset(read_settings(path), path)


def _dataset(settings, path):
    data = dict(settings.get("data", {}))
    if "file" not in data or "target" not in data:
        raise InputError(f"{path.name} needs a table [data] with file = … and target = ….")
    return Dataset.from_file(path.parent / data.pop("file"), **data)
