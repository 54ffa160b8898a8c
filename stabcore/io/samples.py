"""What is known of the samples in a second file, such as their classes, put beside the measurements by the samples' names."""

from __future__ import annotations

from stabcore.io.frame import texts_of
from stabcore.errors import InputError
from stabcore.wording import listed, several, shown

FEWEST_FOUND = 0.5      # of the samples, before two columns are taken to name the same


def add_samples(frame, other):
    """(frame with the columns of another one, names of those columns, notes); a sample that is not in it has missing cells.

    Which columns name the samples is found by their cells: those two that share most. Raises InputError when no two columns share
    half of the samples, when one sample comes twice in the other file, and when nothing would be added.
    """
    import pandas as pd

    mine, theirs, keys, notes_before = _matching(frame, other)
    twice = keys[keys.duplicated() & keys.notna()]
    if len(twice):
        raise InputError(f"The sample {shown(twice.iloc[0])} comes more than once in {shown(theirs)} of the second file; each "
                         "sample needs one line.")
    place = {key: i for i, key in enumerate(keys) if key is not None}
    rows = [place.get(key, -1) for key in _keys(frame[mine])]
    about = other.drop(columns=theirs)
    if not len(about.columns):
        raise InputError(f"The second file holds only {shown(theirs)}; it needs a column with the class of each sample, too.")
    taken = [str(name) for name in about.columns if name in frame.columns]
    about = about.rename(columns={name: f"{name} (second file)" for name in taken})
    about = about.reset_index(drop=True).reindex(rows).set_axis(frame.index)
    unknown = [key for key, row in zip(_keys(frame[mine]), rows, strict=True) if row < 0]
    spare = sorted(set(place) - set(_keys(frame[mine])))
    notes = [f"Added from the second file, by {shown(theirs)}: {listed(about.columns)}, for "
             f"{several(len(frame) - len(unknown), 'sample')}.",
             *([f"Not in the second file, so their cells are empty: {listed(unknown)}."] if unknown else []),
             *([f"Only in the second file, so not used: {listed(spare)}."] if spare else [])]
    at = list(frame.columns).index(mine) + 1
    joined = pd.concat([frame.iloc[:, :at], about, frame.iloc[:, at:]], axis=1)
    return joined, tuple(map(str, about.columns)), notes


def _matching(frame, other):
    """(my column, their column, its keys, share of my rows found) of the two columns that share most."""
    import pandas as pd

    candidates = {name: set(_keys(frame[name])) - {None} for name in frame.columns[:20]}
    candidates = {name: keys for name, keys in candidates.items() if len(keys) > 1 and len(keys) == len(frame)}
    best = (None, None, None, 0.0)
    for theirs in other.columns[:50]:
        keys = pd.Series(_keys(other[theirs]), dtype=object)
        held = set(keys) - {None}
        for mine, wanted in candidates.items():
            share = len(wanted & held) / len(wanted)
            if share > best[3]:
                best = (mine, theirs, keys, share)
    if best[3] < FEWEST_FOUND:
        first = next(iter(candidates), None)
        example = f" such as {listed(list(_keys(frame[first]))[:2])}" if first is not None else ""
        raise InputError(f"No column of the second file holds the names of the samples{example}; it needs one line a sample, with "
                         "its name in one column and its class in another.")
    return best


def _keys(column):
    return [None if cell is None else cell.strip() for cell in texts_of(column)]
