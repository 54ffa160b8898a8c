"""Sources of disagreement: the shares of the disagreement between runs of a selector due to patients, missing values and seed."""

import numpy as np

from stabcore.base.text import join_tied
from stabcore.plots.marks import bars, error_bar, points
from stabcore.plots.names import safe, selector_rows, show_row_names
from stabcore.plots.style import PALE_GREY, PALETTE, empty_figure

WHISKER = ((4, "#F0F0F0"), (2, "#303030"))  # a dark line with light edges: visible on a bar, and next to it on dark screens
LARGE_SHARE, SMALL_SHARE = 0.75, 0.25  # shares of the disagreement
SHARES = ("seed", "missing", "patients")
INTERVAL_COLUMNS = [f"{source}_{end}" for source in SHARES for end in ("low", "high")]
SOURCE_NAMES = {"seed": "seed", "missing": "missing values", "patients": "patients of a run"}


def frame_disagreement(table):
    """Return the table of result.disagreement_sources with its sentences, the selectors with the largest shares first.

    Columns selector, seed, missing, patients, the ends of their intervals, runs, text_seed, text_missing, text_patients (a share
    with its interval), note, baseline (whether it selects at random) and sentence.
    """
    frame = table.reset_index()
    frame = frame.iloc[(-(frame["seed"] + frame["missing"])).argsort(kind="stable")].reset_index(drop=True)
    for source in SHARES:
        columns = [source, f"{source}_low", f"{source}_high"]
        frame[f"text_{source}"] = [_format_share(*row) for row in frame[columns].itertuples(index=False)]
    frame["baseline"] = frame["steadied_by"] == "nothing"
    frame["sentence"] = [describe_disagreement(row) for row in frame.to_dict("records")]
    texts = [f"text_{source}" for source in SHARES]
    return frame[["selector", *SHARES, *INTERVAL_COLUMNS, "seeds", "imputations", "runs", *texts, "note", "baseline", "sentence"]]


def _format_share(share, low, high) -> str:
    if np.isnan(share):
        return "undefined"
    return f"{share:.0%}" + ("" if np.isnan(low) else f" (95% CI {low:.0%} to {high:.0%})")


def describe_disagreement(row) -> str:
    """Describe the shares of one selector, and how to reduce that of the seed. Large and small require the whole interval to be."""
    selector = row["selector"]
    if np.isnan(row["seed"]):
        return f"{selector}: {row['note']}."
    measured = [("the seed", "seed")] * (row["seeds"] > 1) + [("missing values", "missing")] * (row["imputations"] > 1)
    if all(row[source] == 0 for _, source in measured):
        return f"{selector}: every refitted run selects the same features."
    (name, first), *others = measured
    text = f"{selector}: {name} {'explains' if first == 'seed' else 'explain'} {row[f'text_{first}']} of the disagreement"
    text += f", {others[0][0]} {row[f'text_{others[0][1]}']}." if others else "."
    if row["baseline"]:
        return f"{text} It selects at random."
    text += " The patients of each run explain the rest." if row["patients"] else ""
    if not row["seed"] or row["seed_high"] <= SMALL_SHARE:
        return text
    return f"{text} Remedy for the seed: {row['steadied_by'] or 'averaging several fits'}."


def finding_disagreement(frame) -> str:
    """Describe the range of the shares of missing values, and the selectors whose disagreement is mostly due to the seed."""
    defined = frame.dropna(subset="seed")
    if defined.empty:
        return "No two fits of any selector disagree."
    if not defined["baseline"].all():
        defined = defined[~defined["baseline"]]
    if len(defined) == 1:
        return defined["sentence"].iloc[0]
    gaps = defined[defined["imputations"] > 1]
    parts = [_describe_range("Missing values explain", gaps.set_index("selector")["missing"])] if len(gaps) else []
    seeds = defined[defined["seeds"] > 1]
    nearly_all = seeds.loc[seeds["seed_low"] >= LARGE_SHARE, "selector"].tolist()
    if nearly_all:
        parts.append(f"The seed explains nearly all of the disagreement of {join_tied(nearly_all)}.")
    elif len(seeds) == 1:
        parts.append(seeds["sentence"].iloc[0])
    elif len(seeds):
        first, others = seeds.sort_values("seed").iloc[-1], seeds.sort_values("seed").iloc[:-1]
        parts.append(_describe_range("The seed explains", seeds.set_index("selector")["seed"]))
        if first["seed_low"] > others["seed_high"].max():
            parts.append(f"The share of {first['selector']} is the largest.")
    return " ".join(parts)


def _describe_range(who, shares) -> str:
    """Sentence about the shares of selectors, by their names."""
    if len(shares) == 1:
        return f"{who} {shares.iloc[0]:.0%} of the disagreement of {shares.index[0]}."
    return f"{who} {shares.min():.0%} to {shares.max():.0%} of the disagreement of {len(shares)} selectors."


def draw_disagreement(frame):
    """Draw a bar per selector: the parts of its disagreement. The interval is that of all that is not due to patients."""
    shown = frame.dropna(subset="seed").iloc[::-1]
    figure = empty_figure(x="Share of the disagreement<br>between runs", height=110 + 44 * max(len(shown), 2))
    positions = np.arange(len(shown))
    texts = zip(shown["selector"], *(shown[f"text_{source}"] for source in SHARES))
    hovers = [f"{safe(who)}: seed {seed}, missing values {gaps}, patients {patients}" for who, seed, gaps, patients in texts]
    colours = {"seed": PALETTE[1], "missing": PALETTE[2], "patients": PALE_GREY}
    for source, colour in colours.items():
        if source == "patients" or (shown[source] > 0).any():
            figure.add_trace(bars(shown[source], positions, colour, hovers, name=SOURCE_NAMES[source], width=0.5))
    middle = 1 - shown["patients"]
    low, high = (1 - shown[f"patients_{end}"].fillna(shown["patients"]) for end in ("high", "low"))
    for thick, colour in WHISKER:
        interval = error_bar(middle, low, high, color=colour, thickness=thick, width=6)
        figure.add_trace(points(middle, positions, {"color": colour, "size": 1}, showlegend=False, error_x=interval))
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[0, 1.04], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    return show_row_names(figure, positions, selector_rows(shown["selector"]))
