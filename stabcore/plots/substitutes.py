"""Substitutes: features that take each other's place between runs, a bar a pair parted into one, both, the other, none."""

from __future__ import annotations

from stabcore.analysis.substitutes import COMPARED
from stabcore.base.text import several
from stabcore.plots.names import name_rows, safe, short_names, shorten, shorten_apart
from stabcore.plots.style import GREY, INK, PALETTE, REST, blank

MOST_SHOWN = 15  # pairs of the picture; the table behind it has all
# What it is called, its colour, and that of letters on it
BAR_PARTS = {
    "only_this": ("only the upper one", PALETTE[0], "white"),
    "both": ("both", GREY, "black"),
    "only_partner": ("only the lower one", PALETTE[1], "black"),
    "neither": ("neither", REST, INK),
}
SUBSTITUTES = (
    f"Every two features are looked at, related or not: the {COMPARED} of each selector whose selection varies most. "
    "Shown are pairs that are selected together less often than in random subsets: p below 5%, Holm's correction over all "
    "pairs of all selectors. It speaks of more such runs of this table, not of other patients. Features that alternate may "
    "carry the same information: name both, or count them as similar on Groups & C."
)


def finding_substitutes(table) -> str:
    """Which two features swap most surely and how many more pairs do, of an analysis.substitutes.substitutes."""
    if table.empty:
        return "No two features are seen to alternate in these runs."
    first = table.iloc[0]
    sentence = (
        f"{first['feature']} and {first['partner']} alternate: of the runs of {first['selector']} "
        f"{first['only_this']:.0%} select only the one, {first['only_partner']:.0%} only the other, "
        f"{first['both']:.0%} both"
    )
    others = len({frozenset(pair) for pair in zip(table["feature"], table["partner"], strict=True)}) - 1
    return f"{sentence}; so {'does' if others == 1 else 'do'} {several(others, 'more pair')}." if others else f"{sentence}."


def frame_substitutes(table, highlighted=()):
    """The first rows of an analysis.substitutes.substitutes as they are drawn; marked: whether one of the two is highlighted."""
    shown = table.head(MOST_SHOWN)
    return shown.assign(marked=shown["feature"].isin(list(highlighted)) | shown["partner"].isin(list(highlighted)))


def draw_substitutes(frame):
    """A bar a pair: the shares of the runs that select only the one, both, only the other, and neither; their sum is 1."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure, called = blank(x="Share of the runs", height=180 + 56 * max(len(shown), 2)), short_names(frame["selector"].unique())
    for part, (name, colour, letters) in BAR_PARTS.items():
        figure.add_bar(
            x=shown[part],
            y=shown.index,
            orientation="h",
            name=name,
            width=0.5,
            marker={"color": colour, "line": {"width": 0}},
            text=[f"{share:.0%}" if share >= 0.08 else "" for share in shown[part]],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            hoverinfo="text",
            insidetextfont={"color": letters},
            hovertext=[
                f"{_describe_part(row, part)}: {share:.0%} of the runs of {safe(row.selector)}"
                for row, share in zip(shown.itertuples(), shown[part], strict=True)
            ],
        )
    both = [*shown["feature"], *shown["partner"]]
    shown_names = dict(zip(both, shorten_apart(both), strict=True))
    names = [_pair_names(row, shown_names, called[row.selector] if len(called) > 1 else "") for row in shown.itertuples()]
    figure.update_xaxes(range=[0, 1.03], tickformat=".0%")
    figure.update_layout(barmode="stack")
    return name_rows(figure, list(shown.index), names, showgrid=False, range=[-0.6, len(shown) - 0.4])


def _pair_names(row, names, selector):
    """Both names of a pair beside its bar, and whose runs these are."""
    lines = [f"{'★ ' * row.marked}{names[row.feature]}", names[row.partner], *([f"({shorten(selector)})"] if selector else [])]
    return "<br>".join(lines)


def _describe_part(row, part):
    """What a piece of the bar is, in words."""
    return {
        "only_this": f"only {safe(row.feature)}",
        "only_partner": f"only {safe(row.partner)}",
        "both": f"{safe(row.feature)} and {safe(row.partner)}",
        "neither": f"neither {safe(row.feature)} nor {safe(row.partner)}",
    }[part]
