"""What is said of selectors beside their noise floors: who is clearly above it, and how to read the figure."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.compare_selectors import above
from stabcore.analysis.noise_floors import any_beyond, beyond_pairs
from stabcore.figures.beyond import headline, measured, range_written, with_interval
from stabcore.figures.floor import sentence_unknown
from stabcore.figures.standing import leaders, range_of
from stabcore.selectors.baseline import is_baseline
from stabcore.wording import join_tied, plural, rounded, several

READ = ("Grey: the same selector with the outcome shuffled {times} times, its range and mean. Pale blue: what is beyond that. "
        "Filled: clearly above the shuffles (p ≤ 0.05). 0 is chance (random subsets).")
UNREAD = "Open marks: no noise floor is known, so no selector is called stable. 0 is chance (random subsets)."
HALVED = "Each half has half of the patients, so this is what studies of that size would agree on."
OTHER = "All runs are another quantity: they share patients, so values and noise floors are higher."
FALLS = ("Effective stability is below the classic one where some runs select several of a group and others none. Its floor "
         "differs between selectors, so only what is beyond it is compared.")
FEW = 3                     # selectors that are named together as the first
MUCH = 0.5                  # of a value: a floor that holds more of it is told


def finding_beyond(frame, result=None, pairs=None) -> str:
    """Which selectors are farthest beyond their noise floors; nobody is judged who is not clearly above it.

    frame: a frame_beyond; result: of which it is told why no floor is known; pairs: every two selectors compared by the headline,
    see analysis.pairs.stability_pairs; without it by what the frame says of each.
    """
    own = headline(frame).dropna(subset="value")
    own = own[~own["blind"]] if not own["blind"].all() else own
    if own.empty:
        return "No selector has a stability that is defined."
    if not measured(frame):
        return f"{_span_of(own)} {sentence_unknown(result)}".strip()
    clear = own[own["clear"]]
    if not any_beyond(own):
        passes, own_test = ("passes", "its own test") if len(clear) == 1 else ("pass", "their own tests")
        alone = "" if clear.empty else f" {join_tied(list(clear['selector']))} {passes} {own_test}, as 1 of 20 does without signal."
        return (f"No selector is clearly more stable than with the outcome shuffled.{alone}" if len(own) > 1 else
                f"{own['selector'].iloc[0]} is not clearly more stable than with the outcome shuffled.")
    return f"{_leaders(own, clear, pairs)}{_mostly_floor(own, clear)}"


def _span_of(own):
    values = dict(zip(own["selector"], own["value"], strict=True))
    return f"{'Stability' if len(own) == 1 else 'The selectors have stabilities of'} {range_of(values, list(values))}."


def _leaders(own, clear, pairs):
    """Who is first beyond the floor, as far as these runs and shuffles tell."""
    by = dict(zip(clear["selector"], clear["beyond"], strict=True))
    row = clear.iloc[0]
    if len(own) == 1:
        return (f"{row['selector']} is more stable than its noise floor by "
                f"{with_interval(*row[['beyond', 'beyond_low', 'beyond_high']])}.")
    names = list(own["selector"])
    ahead = above(beyond_pairs(own) if pairs is None else pairs, names)
    most = [name for name in leaders(names, ahead) if name in by]
    if len(most) == 1:
        return (f"{most[0]} is the most stable selector beyond its noise floor: "
                f"{with_interval(*clear.set_index('selector').loc[most[0], ['beyond', 'beyond_low', 'beyond_high']])}.")
    if 1 < len(most) <= FEW:
        level = "" if ahead[:len(most), :len(most)].any() else " They are not distinguishable."
        return f"{join_tied(most)} are farthest beyond their noise floors (by {range_of(by, most)}).{level}"
    who = "Both selectors are" if len(by) == len(own) == 2 else f"All {len(own)} selectors are" if len(by) == len(own) else \
        f"{len(by)} of {several(len(own), 'selector')} {'is' if len(by) == 1 else 'are'}"
    floors = "its noise floor" if len(by) == 1 else "their noise floors"
    return f"{who} clearly more stable than {floors} (by {range_of(by, list(by))})."


def _mostly_floor(own, clear):
    """A second sentence where the highest value is another selector's, and is mostly its floor."""
    highest = own.loc[own["value"].idxmax()]
    if highest["selector"] == clear["selector"].iloc[0] or not highest["floor"] > MUCH * highest["value"]:
        return ""
    return (f" {highest['selector']} has the highest value ({rounded(highest['value'])}), of which {rounded(highest['floor'])} is "
            "its floor.")


def sentence_shared(frame) -> str:
    """What separate halves share in features, beside what random subsets would; "" where the study made none."""
    own = headline(frame)
    own = own[~own["blind"]].dropna(subset="value")
    if "shared" not in own or own.empty or own["panel"].iloc[0] != "halves":
        return ""
    return (f"Two separate halves of the patients share {_count(own['shared'])} of {_count(own['size'])} "
            f"{plural(own['size'].max(), 'feature')}. Random subsets share {_count(own['by_luck'])}.")


def _count(numbers):
    low, high = (f"{one:.1f}".removesuffix(".0") for one in (numbers.min(), numbers.max()))
    return low if low == high else f"{low} to {high}"


def sentence_beyond(row) -> str:
    """One selector in one sentence; row: of a frame_beyond, as a dictionary. Nothing is judged that is not clear."""
    label, value = row["selector"], with_interval(row["value"], row["low"], row["high"])
    if np.isnan(row["value"]):
        return f"{label}: undefined{', because ' * bool(row['note'])}{row['note']}."
    if is_baseline(label):
        return f"{label}: {value}. It selects at random, so this is its noise floor."
    if row["blind"]:
        return f"{label}: {value}. It does not look at the outcome, so this is its noise floor."
    if not row["shuffles"] or np.isnan(row["floor"]):
        return f"{label}: {value}. Its noise floor is unknown."
    verdict = "clearly above it" if row["clear"] else "not clearly above it"
    return (f"{label}: {value}, noise floor {rounded(row['floor'])} ({rounded(row['floor_low'])} to {rounded(row['floor_high'])}), "
            f"{verdict} (p = {row['p']:.3f}).")


def table_beyond(frame):
    """DataFrame, one row per selector of the headline panel: what people read, in the order of the figure."""
    own = frame[frame["panel"] == frame["panel"].iloc[0]]
    shown = own[["selector"]].assign(
        **({"shared": own["shared"].round(1)} if "shared" in own else {}),
        value=[with_interval(*row) for row in own[["value", "low", "high"]].itertuples(index=False)],
        floor=[range_written(*row) for row in own[["floor", "floor_low", "floor_high"]].itertuples(index=False)],
        beyond=[with_interval(*row) if not np.isnan(row[0]) else "" for row in
                own[["beyond", "beyond_low", "beyond_high"]].itertuples(index=False)],
        p=own["p"])
    return shown if measured(frame) else shown.drop(columns=["floor", "beyond", "p"])


def notes_beyond(frame) -> list[str]:
    """How to read the figure, in two paragraphs: what its marks are, and which quantities it holds."""
    panels = set(frame["panel"])
    quantities = [sentence_shared(frame), *[HALVED, OTHER] * ("halves" in panels), *[FALLS] * ("effective" in panels)]
    return [one for one in (READ.format(times=frame["shuffles"].max()) if measured(frame) else UNREAD,
                            " ".join(filter(None, quantities))) if one]
