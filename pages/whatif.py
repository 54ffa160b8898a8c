"""What if: other thresholds, groups, pairs, scenarios, or a left-out feature or run. No study runs again."""

from pages.parts import cache, controls, figures, guards, layout, session
from pages.parts.screen import Screen
from pages.parts.view import View
from pages.parts.whatif import given, groups, leaving_out, pairs, side_by_side, thresholds

CHANGES = {  # {change: (its title, what it does, its function)}
    "thresholds": ("Threshold", "another correlation from which features are similar", thresholds.show_thresholds),
    "groups": ("Groups", "whether the features of your groups are similar", groups.show_groups),
    "pairs": ("Pairs", "whether two features are similar", pairs.show_pairs),
    "scenarios": ("Scenario", "saved definitions of similar features, side by side", side_by_side.show_scenarios),
    "parts": ("Without a feature or run", "one of them is left out", leaving_out.show_leaving_out),
    "given": ("Always in the model", "the study with and without these columns in every model", given.show_comparison),
}


def show_screen():
    """The kind of change, its controls and its answer."""
    screen = Screen()
    results = cache.compared_results(guards.require_results(screen))
    changes = CHANGES if getattr(results, "given", ()) else {key: change for key, change in CHANGES.items() if key != "given"}
    titles = {key: title for key, (title, _, _) in changes.items()}
    about = "\n\n".join(f"**{title}**: {does}." for title, does, _ in changes.values())
    change = controls.ask_section(session.WHAT_IF_QUESTION, titles, "Choose what changes", about=about)
    view = View(results, controls.chosen_cardinality(results), screen=screen)
    analyses = thresholds.allowed_analyses(view) if change == "thresholds" else {}
    draw = screen.open_analysis(analyses, session.WHAT_IF_SECTION, "What if") or CHANGES[change][-1]
    draw(view)
    controls.explain_similarity(view)
    screen.show_drawers(analyses, session.WHAT_IF_SECTION)


layout.show_title("What if similar features count as one?", then=("report", "Report"), detour=True)
figures.run_fragment(show_screen)
