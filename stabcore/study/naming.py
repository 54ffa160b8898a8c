"""A study file as screens read it: selectors go by their names in the catalogue, not by the keys they are stored under."""

from __future__ import annotations

from dataclasses import replace

from stabcore.selectors.baseline import SIGN, Random, is_baseline
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.store import Store


class Named(Store):
    """A study file whose selectors are called "Random forest" where they are stored as random_forest.

    Labels that people gave stay, and so does a key whose name one of these has already taken; one that picks by lot is told to be
    a baseline. It is only for reading: what is written, and the fingerprint of a study, knows the stored labels.
    """

    def __init__(self, path):
        super().__init__(path)
        selectors = super().meta("settings")["selectors"]
        stored = [one["label"] for one in selectors]
        names = {one["label"]: _name_of(**one) for one in selectors}
        self.names = {label: name for label, name in names.items() if name not in stored}

    def meta(self, key, default=None):
        """See Store; selectors in it are called by their names."""
        value = super().meta(key, default)
        if key == "settings":
            return {**value, "selectors": [{**one, "label": self._name(one["label"])} for one in value["selectors"]]}
        if key == "importances_of_one_k" and value:
            return {self._name(label): told for label, told in value.items()}
        return value

    def finished(self) -> set[tuple[str, int, int, int]]:
        """See Store."""
        return {(self._name(label), *rest) for label, *rest in super().finished()}

    def lacked_memory(self) -> set[tuple[str, int, int, int]]:
        """See Store."""
        return {(self._name(label), *rest) for label, *rest in super().lacked_memory()}

    def outcomes(self, selector=None, *asked, **how):
        """See Store; a selector is asked for by its name or as it is stored."""
        stored = next((label for label, name in self.names.items() if name == selector), selector)
        return [replace(one, selector=self._name(one.selector)) for one in super().outcomes(stored, *asked, **how)]

    def _name(self, label):
        return self.names.get(label, label)


def _name_of(label, key=None, **_):
    if key == label and key in BY_KEY:
        return BY_KEY[key].label
    return f"{label} {SIGN}" if key in BY_KEY and BY_KEY[key].build is Random and not is_baseline(label) else label
