"""What if: other thresholds, groups, pairs, scenarios, or a left-out feature or run. No study runs again."""

from pages.parts import cache, controls, figures, guards, layout, session
from pages.parts.frame import Frame
from pages.parts.view import View
from pages.parts.whatif import given, groups, leaving_out, pairs, side_by_side, thresholds

CHANGES = {  # {change: (its title, what it does, its function)}
    "thresholds": ("Threshold", "another correlation from which features are similar", thresholds.ask),
    "groups": ("Groups", "whether the features of your groups are similar", groups.ask),
    "pairs": ("Pairs", "whether two features are similar", pairs.ask),
    "scenarios": ("Scenario", "saved definitions of similar features, side by side", side_by_side.ask),
    "parts": ("Without a feature or run", "one of them is left out", leaving_out.ask),
    "given": ("Always in the model", "the study with and without these columns in every model", given.ask),
}


def screen():
    """The kind of change, its controls and its answer."""
    frame = Frame()
    results = cache.as_compared(guards.require_results(frame))
    changes = CHANGES if getattr(results, "given", ()) else {key: change for key, change in CHANGES.items() if key != "given"}
    titles = {key: title for key, (title, _, _) in changes.items()}
    about = "\n\n".join(f"**{title}**: {does}." for title, does, _ in changes.values())
    change = controls.section(session.WHAT_IF_QUESTION, titles, "Choose what changes", about=about)
    view = View(results, controls.asked_cardinality(results), frame=frame)
    analyses = thresholds.analyses(view) if change == "thresholds" else {}
    draw = frame.analysis(analyses, session.WHAT_IF_SECTION, "What if") or CHANGES[change][-1]
    draw(view)
    controls.note_similarity(view)
    frame.close(analyses, session.WHAT_IF_SECTION)


layout.title("What if similar features count as one?", then=("report", "Report"), detour=True)
figures.fragment(screen)
