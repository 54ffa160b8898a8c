"""Measured stabilities with their intervals, one row a selector."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.floors import beyond
from stabcore.analysis.pairs import above
from stabcore.figures.standing import ends_of_all, range_of
from stabcore.figures.style import FLOOR, FLOOR_COLOUR, GREY, beside_rows, blank, channels, name_rows, safe
from stabcore.inference.estimate import ENOUGH
from stabcore.measures.catalog import entries
from stabcore.selectors.baseline import is_baseline
from stabcore.wording import all_of, join_tied, joined, rounded, several

PARTS = {"value": "", "low": "_low", "high": "_high", "note": "_note"}
AT_FLOOR = ("floor", "floor_low", "floor_high")
BACK = ((0.75, "come back well"), (0.4, "come back moderately"), (0.1, "come back poorly"))
BY_ITSELF = ("Whether a stability rises or falls when related features stand for each other is judged here for each selector by "
             "itself (95%). Scenarios side by side, on What if, corrects for asking about all of them (Holm), and may find fewer.")
JUDGED = ("Well, moderately, poorly: at least 75%, 40%, 10% of the way from what {whom} would show to always the same features. "
          "Hardly: less than that.")
NEVER_SHUFFLED = ("Without any signal: what to expect of a filter that ranks features one by one, such as a t-test, on the same "
                  "runs, if no feature had anything to do with the outcome. Runs agree even then, because they share rows. In "
                  "brackets: 95 of 100 such tables, if their features are independent. Other selectors may have another floor; "
                  "those that score by bins (as MIM) have a lower one.")
SHUFFLED = ("Without any signal: what the same selector showed on the same rows with the outcome shuffled, on average over "
            "{shuffles} shuffles, with their range.")
NO_PLAN = ("How these runs were made is not known, and so is what they would show without any signal. That can be much more "
           "than 0, which is what random sets give: runs that share most of their rows agree whatever is in the table.")

INTERVALS = ("Intervals (95%) say how much the number would move with other resamples of this dataset; the runs share rows, so "
             "they do not speak of new patients.")
OF_BROUGHT = ("Intervals (95%) say how much the number would move with other runs made in the same way. Where these are resamples "
              "of one dataset, that does not speak of new patients.")
FEW_RUNS = (f"With fewer than {ENOUGH} runs Nogueira has the interval of the jackknife, as all others have: in simulations the "
            "published one held the truth too seldom (with 10 runs 83 times of 100, with 3 runs 46).")


def intervals_of(result) -> str:
    """What the intervals of a result say and do not say: of a study, or of runs of which nobody knows how they were made."""
    return INTERVALS if getattr(result, "plan", None) is not None else OF_BROUGHT


def frame_estimates(table, keys, floors=None):
    """DataFrame(selector, measure, label, value, low, high, floor, floor_low, floor_high, blind, note, text) of a result table.

    One row a selector and measure. keys: the measures (keys, or one's own) that the table was asked for. floors: {key: DataFrame as
    stabcore.analysis.floors gives it} of those whose floor is known. blind: it does not look at the outcome.
    """
    import pandas as pd

    parts = []
    for one in entries(keys):
        columns = {"selector": table.index, "measure": one.key, "label": one.label}
        columns |= {name: table[f"{one.key}{end}"].to_numpy() for name, end in PARTS.items()}
        floor = (floors or {}).get(one.key)
        columns |= {name: np.nan if floor is None else floor[name].reindex(table.index).to_numpy() for name in AT_FLOOR}
        columns["blind"] = floor is not None and "blind" in floor and floor["blind"].reindex(table.index).eq(True).to_numpy()
        parts.append(pd.DataFrame(columns))
    frame = pd.concat(parts, ignore_index=True)
    frame["text"] = [written(*row) for row in frame[["value", "low", "high"]].itertuples(index=False)]
    return frame


def written(value, low, high) -> str:
    """A value with its interval as people write it."""
    if np.isnan(value):
        return "undefined"
    if np.isnan(high):                  # the runs never differ: there is a lower limit at most
        return rounded(value) if np.isnan(low) else f"{rounded(value)}, at least {rounded(low)}"
    return f"{rounded(value)} [{rounded(low)}, {rounded(high)}]"


def sentence(label, row) -> str:
    """One selector of a result table in one plain sentence: classic stability beside its floor, and what the relation changes.

    row: of the table, with the columns of stabcore.analysis.floors and change_low, change_high of stabcore.analysis.pairs.changes;
    without them it is judged against random sets, and of a relation only the value is told.
    """
    if np.isnan(row["nogueira"]):
        return f"{label}: the agreement is undefined, because {row['nogueira_note']}."
    size, floor = round(row["mean_size"]), row.get("floor", np.nan)
    value = written(row["nogueira"], row["nogueira_low"], row["nogueira_high"])
    if is_baseline(label):
        return f"{label}: chosen by lot, {several(size, 'feature')} a run ({value}); random sets give 0."
    at = [row.get(name, np.nan) for name in AT_FLOOR]
    word = comes_back(row["nogueira"], row["nogueira_low"], row["nogueira_high"], floor, at[-1])
    beside = "" if np.isnan(floor) else f"; {FLOOR} {written(*at)}"
    told = f"{label}: about {several(size, 'feature')} a run, which {word if size != 1 else _of_one(word)} ({value}{beside})"
    if np.isnan(row["effective"]) or rounded(row["effective"]) == rounded(row["nogueira"]):
        return f"{told}."
    low, high = row.get("change_low", np.nan), row.get("change_high", np.nan)
    change = "rises to" if low > 0 else "falls to" if high < 0 else "is"
    return (f"{told}; when related features stand for each other it {change} "
            f"{written(row['effective'], row['effective_low'], row['effective_high'])}"
            f"{', not clearly a change' if low <= 0 <= high else ''}.")


def comes_back(value, low, high, floor, highest=np.nan) -> str:
    """How features come back, of several of them, judged against the floor, or against random sets (0) where it is not known.

    highest: what the floor may come to; more is said where the interval of the value is above it, and a value without an interval
    is taken as it is. Less than without any signal is never said: the floor may be that of another selector.
    """
    zero, than = (0.0, "random sets") if np.isnan(floor) else (floor, FLOOR)
    low, high = np.nan_to_num([low, high], nan=value)
    if high < zero and np.isnan(floor):
        return f"come back less often than {than}"
    if low <= np.fmax(zero, highest):
        return f"do not clearly come back more often than {than}"
    way = beyond(value, zero)
    return next((word for least, word in BACK if way >= least), f"come back hardly more often than {than}")


def _of_one(word):
    return word.replace("do not", "does not", 1) if word.startswith("do not") else word.replace("come", "comes", 1)


def by_itself(rows) -> list[str]:
    """Of result rows as `sentence` takes them: how the changes that it tells were judged; nothing where none is told."""
    own = rows[~rows.index.map(is_baseline)]
    if len(own) < 2 or "change_low" not in own:
        return []
    return [BY_ITSELF] if ((own["change_low"] > 0) | (own["change_high"] < 0)).any() else []


def judged(floors) -> list[str]:
    """What the words of the sentences mean, and what their floor is: of a DataFrame as analysis.floors gives it, said once."""
    known = floors[~floors.index.map(is_baseline) & floors["floor"].notna()]
    sentences = [JUDGED.format(whom="random sets" if known.empty else "a study without any signal")]
    if known.empty:
        return [*sentences, *dict.fromkeys(NO_PLAN if "how these runs" in note else f"{note[:1].upper()}{note[1:]}."
                                           for note in floors["note"] if note)]
    shuffles = int(known["shuffles"].max())
    return [*sentences, SHUFFLED.format(shuffles=shuffles) if shuffles else NEVER_SHUFFLED]


def notes(frame) -> list[str]:
    """What is to be known of values of a frame_estimates, each note once: whose by which measure, unless it is about all."""
    everybody, sentences = frame["selector"].nunique(), []
    for note, own in frame[frame["note"] != ""].groupby("note", sort=False):
        alike = {}
        for label, named in own.groupby("label", sort=False):
            alike.setdefault(tuple(named["selector"]), []).append(label)
        of = "; ".join(f"{joined(labels)} of {'every selector' if len(who) == everybody > 1 else join_tied(list(who), 5)}"
                       for who, labels in alike.items())
        sentences.append(f"{note.rstrip('.')}." if len(own) == len(frame) > 1 else f"{of}: {note.rstrip('.')}.")
    return sentences


def finding_estimates(frame, pairs=None) -> str:
    """Who brings its own list back more often than the others, in one sentence, and what there would be without any signal.

    pairs: every two selectors by the first measure of the frame, see analysis.pairs; who is not clearly apart is not ranked.
    """
    first = frame[(frame["measure"] == frame["measure"].iloc[0]) & ~frame["selector"].map(is_baseline)].dropna(subset="value")
    if first.empty:
        return "No selector has a stability that is defined."
    first = first.sort_values("value", ascending=False, kind="stable")
    zero = f"random sets would give 0{_floor_in_words(first.loc[~first['blind'], 'floor'].dropna())}"
    names, values = first["selector"].tolist(), dict(zip(first["selector"], first["value"], strict=True))
    if len(names) == 1:
        return f"{names[0]} brings its own list back to {rounded(values[names[0]])} (1: always the same list); {zero}."
    clear = above(pairs, names)
    if not clear.any():
        return (f"{all_of(len(names), 'selector').capitalize()} bring back their own lists, none clearly more often than another "
                f"({range_of(values, names)}; 1: always the same list); {zero}.")
    most, least = ends_of_all(names, clear)
    if not most and not least:
        return f"No selector brings its own list back clearly more often than all others ({range_of(values, names)}); {zero}."
    parts = [_who(ends, values, clear[np.ix_(*[[names.index(one) for one in ends]] * 2)], often, verb=ends is most or not most)
             for ends, often in ((most, "most"), (least, "least")) if ends]
    return f"{', '.join(parts)}; {zero}."


def _floor_in_words(floors):
    if floors.empty:
        return ""
    low, high = rounded(floors.min()), rounded(floors.max())
    return f", a study {FLOOR} {low if low == high else f'{low} to {high}'}"


def _who(names, values, clear, often, verb):
    """Lasso brings its own list back most often (0.90); or of several, of which none is clearly above another, that too."""
    bring = ("" if not verb else " brings its own list back" if len(names) == 1 else " bring back their own lists")
    level = "" if len(names) == 1 or clear.any() else ", no clear difference between them"
    return f"{join_tied(names)}{bring} {often} often ({range_of(values, names)}{level})"


def wide_estimates(frame):
    """DataFrame selector × measure of what is written, and beside each measure its floor where that of any selector is known."""
    wide = frame.pivot(index="selector", columns="label", values="text")
    columns = {}
    for label, own in frame.groupby("label", sort=False):
        columns[label] = wide[label]
        floor = own.set_index("selector")["floor"]
        if floor[~floor.index.map(is_baseline)].notna().any():
            columns[f"{label} {FLOOR}"] = floor.map(lambda value: "not known" if np.isnan(value) else rounded(value))
    return wide.assign(**columns)[list(columns)]


def draw_estimates(frame):
    """A point and its interval for each selector and measure, a tick at its floor; most stable in the first measure on top.

    Baselines come last, thin and grey.
    """
    first = frame[frame["measure"] == frame["measure"].iloc[0]]
    first = first.assign(rival=~first["selector"].map(is_baseline)).sort_values(["rival", "value"], na_position="first")
    order, keys = first["selector"].tolist(), list(frame["measure"].unique())
    place = {name: at for at, name in enumerate(order)}
    figure = blank(x="Stability<br>(0: random sets, 1: the same)", height=90 + 44 * len(order) + 18 * len(keys))
    shift = dict(zip(keys, np.linspace(0.16, -0.16, len(keys)) if len(keys) > 1 else [0]))
    frame = frame.assign(at=frame["selector"].map(place) + frame["measure"].map(shift)).sort_values("at", kind="stable")
    for key, (colour, symbol, _) in channels(keys).items():
        own = frame[frame["measure"] == key]
        rivals = ~own["selector"].map(is_baseline)
        figure.add_trace(_points(own[rivals], colour, symbol))
        if not rivals.all():
            figure.add_trace(_points(own[~rivals], GREY, f"{symbol}-open", thin=True))
    _floors(figure, frame.dropna(subset=["value", "floor"]))
    figure.add_vline(x=0, line={"width": 1, "color": "grey"})
    name_rows(figure, np.arange(len(order)), [beside_rows(name) for name in order],
              range=[-0.6, len(order) - 0.4])
    return figure


def _points(own, colour, symbol, thin=False):
    import plotly.graph_objects as go

    return go.Scatter(
        x=own["value"], y=own["at"], mode="markers", name=own["label"].iloc[0] if len(own) else "", showlegend=not thin,
        marker={"color": colour, "symbol": symbol, "size": 8 if thin else 11},
        error_x={"type": "data", "symmetric": False, "color": colour,
                 "array": (own["high"] - own["value"]).fillna(0.0),
                 "arrayminus": own["value"] - own["low"], "thickness": 1 if thin else 2, "width": 3 if thin else 5},
        text=[f"{safe(s)}<br>{words}" for s, words in zip(own["selector"], own["text"])],
        hovertemplate="%{text}<extra>%{fullData.name}</extra>")


def _floors(figure, own):
    """A tick for each floor that is known, with its range over the shuffles where the outcome was shuffled; one name for all."""
    import plotly.graph_objects as go

    own = own[~own["selector"].map(is_baseline)]
    if own.empty:
        return
    ranges = {"type": "data", "symmetric": False, "array": own["floor_high"] - own["floor"],
              "arrayminus": own["floor"] - own["floor_low"], "color": FLOOR_COLOUR, "thickness": 1.5, "width": 0}
    figure.add_trace(go.Scatter(
        x=own["floor"], y=own["at"], mode="markers", name=FLOOR, error_x=ranges if own["floor_low"].notna().any() else None,
        marker={"symbol": "line-ns-open", "size": 16, "color": FLOOR_COLOUR, "line": {"width": 2.5, "color": FLOOR_COLOUR}},
        text=[f"{safe(s)}<br>{FLOOR}: {written(*at)}" for s, *at in own[["selector", *AT_FLOOR]].itertuples(index=False)],
        hovertemplate="%{text}<extra>%{fullData.name}</extra>"))
