"""Agreement of selections within subgroups, across subgroups, and between random groups of patients."""

import numpy as np

from stabcore.base.text import rounded
from stabcore.plots.estimates import format_p, format_with_range
from stabcore.plots.marks import error_bar, points
from stabcore.plots.names import safe, show_row_names
from stabcore.plots.style import FLOOR_COLOUR, MEASURED, empty_figure
from stabcore.study.subgroups import ACROSS, DIFFERENCE, RANDOM, WITHIN

AGREEMENT_NAMES = {
    WITHIN: "within subgroups",
    ACROSS: "across subgroups",
    RANDOM: "random groups",
    DIFFERENCE: "within less across",
}
LEVEL = 0.05
ABOUT_SUBGROUPS = (
    "Within: two halves of one subgroup. Across: halves of two subgroups. All halves have the same size and share no patient.",
    "Random groups: patients are assigned at random, within the classes of the outcome. The bar is the range of 95% of them.",
    "The other two bars are 95% intervals over divisions of these patients, not for other patients.",
    "The difference has no interval, because none that was tried covered 90% to 98% in simulations.",
)
POWER_OF_SUBGROUPS = (
    "Without a difference in p, subgroups may still differ, because halves of subgroups have few patients. A difference may also "
    "come from other columns that differ between the subgroups."
)


def frame_subgroups(table):
    """Return the table of subgroup_agreement with a column of the kind of agreement, in words."""
    return table.assign(kind=table["of"].map(AGREEMENT_NAMES))


def finding_subgroups(frame) -> str:
    """Say whether selections agree less across subgroups than within, and describe the agreement of random groups."""
    rows = frame.set_index("of")
    within, across, random = (rounded(rows["value"][of]) for of in (WITHIN, ACROSS, RANDOM))
    p, groups = rows["p"][DIFFERENCE], frame["groups"].iloc[0]
    if np.isnan(rows["value"][DIFFERENCE]):
        return f"The agreement of {groups} is undefined."
    if p <= LEVEL:
        return (
            f"Selections differ between {groups}. Agreement is {within} within and {across} across subgroups "
            f"(p = {format_p(p)}). Random groups reach {random}."
        )
    if not rows["low"][WITHIN] > 0:
        return f"Halves of one subgroup hardly agree ({within}), so {groups} cannot be compared."
    return (
        f"No difference between {groups} is shown. Agreement is {within} within and {across} across subgroups "
        f"(p = {format_p(p)}). Random groups reach {random}."
    )


def draw_subgroups(frame):
    """Draw a row for each kind of agreement, with its interval."""
    shown = frame[frame["of"] != DIFFERENCE].iloc[::-1]
    figure, positions = empty_figure(x="Agreement of two selections", height=250), np.arange(len(shown))
    for part, name, colour in ((shown["of"] != RANDOM, "the subgroups", MEASURED), (shown["of"] == RANDOM, "random", FLOOR_COLOUR)):
        rows = shown[part.to_numpy()]
        hovers = [
            f"{row['kind']} ({safe(row['groups'])}): {format_with_range(row['value'], row['low'], row['high'])}"
            for row in rows.to_dict("records")
        ]
        low, high = (rows[end].fillna(rows["value"]) for end in ("low", "high"))
        interval = error_bar(rows["value"], low, high, color=colour, thickness=2, width=4)
        look = {"color": colour, "size": 10}
        figure.add_trace(points(rows["value"], positions[part.to_numpy()], look, hovers, name=name, error_x=interval))
    return show_row_names(figure, positions, shown["kind"].tolist(), range=[-0.7, len(shown) - 0.3])
