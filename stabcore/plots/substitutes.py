"""Substitutes: features that replace each other between runs, a bar per pair."""

from stabcore.analysis.substitutes import MAX_COMPARED, MIN_FEATURES
from stabcore.base.text import counted
from stabcore.plots.marks import bars
from stabcore.plots.names import safe, short_names, shorten, shorten_distinctly, show_row_names
from stabcore.plots.style import GREY, INK, PALE_GREY, PALETTE, empty_figure

MAX_SHOWN = 15  # largest number of pairs in the figure, with all in its table
# name, words on the two features, colour, colour of letters on it
BAR_PARTS = {
    "only_this": ("only the upper one", "only {0}", PALETTE[0], "white"),
    "both": ("both", "{0} and {1}", GREY, "black"),
    "only_partner": ("only the lower one", "only {1}", PALETTE[1], "black"),
    "neither": ("neither", "neither {0} nor {1}", PALE_GREY, INK),
}
ABOUT_SUBSTITUTES = (
    f"All pairs among the {MAX_COMPARED} features of each selector whose selection varies most are compared. The figure shows "
    "pairs that are selected together less often than in random subsets (p < 0.05, Holm's correction over all pairs of all "
    "selectors). The result refers to further runs on this table, not to other patients. Substitutes may carry the same "
    "information. Then name both, or define them as similar. Unrelated features can also replace each other. In simulations "
    "without signal, a pair was found in 0 to 13% of tables, and in 20% with 10 correlated features."
)
NOT_TESTED = f"Not tested, because fewer than {MIN_FEATURES} features vary between runs:"


def finding_substitutes(table) -> str:
    """Describe the clearest substitutes and count the others, of analysis.substitutes.substitutes."""
    if table.empty:
        without = table.attrs.get("not_tested")
        return "No substitutes found." + (f" {NOT_TESTED} {', '.join(without)}." if without else "")
    first = table.iloc[0]
    others = len({frozenset(pair) for pair in zip(table["feature"], table["partner"], strict=True)}) - 1
    return (
        f"{first['feature']} and {first['partner']} are substitutes. {first['only_this']:.0%} of the runs of {first['selector']} "
        f"select only the first, {first['only_partner']:.0%} only the second, {first['both']:.0%} both."
        + (f" {counted(others, 'more pair')} of substitutes found." if others else "")
    )


def frame_substitutes(table, highlighted=()):
    """Return the first rows of analysis.substitutes.substitutes. marked: whether one of the two features is highlighted."""
    shown = table.head(MAX_SHOWN)
    return shown.assign(marked=shown["feature"].isin(list(highlighted)) | shown["partner"].isin(list(highlighted)))


def draw_substitutes(frame):
    """Draw a bar per pair: the shares of the runs that select only one, both, only the other, and neither."""
    shown = frame.iloc[::-1].reset_index(drop=True)
    figure, short = (
        empty_figure(x="Share of the runs", height=180 + 56 * max(len(shown), 2)),
        short_names(frame["selector"].unique()),
    )
    for part, (name, words, colour, letters) in BAR_PARTS.items():
        hovers = [
            f"{words.format(safe(row.feature), safe(row.partner))}: {share:.0%} of the runs of {safe(row.selector)}"
            for row, share in zip(shown.itertuples(), shown[part], strict=True)
        ]
        text = [f"{share:.0%}" if share >= 0.08 else "" for share in shown[part]]
        look = {"textposition": "inside", "insidetextanchor": "middle", "textangle": 0, "insidetextfont": {"color": letters}}
        marker = {"line": {"width": 0}}
        figure.add_trace(bars(shown[part], shown.index, colour, hovers, name=name, width=0.5, marker=marker, text=text, **look))
    both = [*shown["feature"], *shown["partner"]]
    shortened = dict(zip(both, shorten_distinctly(both), strict=True))
    names = [
        f"{'★ ' * row.marked}{shortened[row.feature]}<br>{shortened[row.partner]}"
        + (f"<br>({shorten(short[row.selector])})" if len(short) > 1 else "")
        for row in shown.itertuples()
    ]
    figure.update_xaxes(range=[0, 1.03], tickformat=".0%")
    figure.update_layout(barmode="stack")
    return show_row_names(figure, list(shown.index), names, showgrid=False, range=[-0.6, len(shown) - 0.4])
