"""Accuracy: accuracy, stability and size, the Pareto front, and the choice of a selector from it."""

from pages.parts import cache, controls, guards, layout, pareto, session
from pages.parts.pareto import ask_view
from pages.parts.screen import Screen
from pages.parts.view import View

ANALYSES = {
    "added": ("Added to given columns", pareto.show_added_value),
    "trade_off": ("Trade-off weight γ", pareto.show_weighted_choice),
    "change": ("Classic to effective", pareto.show_changes),
    "size": ("Number of features", pareto.show_sizes),
    "errors": ("Accuracy ties", pareto.show_accuracy_differences),
    "chosen": ("Selectors side by side", pareto.show_chosen),
    "studies": ("Other studies", pareto.show_studies),
}
WITHOUT_SCORES = ("added", "size", "studies")


def show_screen():
    """The front, or the open analysis."""
    screen = Screen()
    view = ask_view(View(cache.compared_results(guards.require_results(screen)), screen=screen))
    analyses = {
        name: analysis
        for name, analysis in ANALYSES.items()
        if (view.scores or name in WITHOUT_SCORES)
        and (name != "size" or view.sizes_differ or not view.scores)
        and (name != "added" or view.results.given)
    }
    draw = screen.open_analysis(analyses, session.PARETO_SECTION, "Accuracy") or (
        pareto.show_front if view.scores else pareto.show_sizes
    )
    draw(view)
    controls.explain_similarity(view, "effective" if draw in (pareto.show_changes, pareto.show_chosen) else view.measure)
    screen.show_drawers(analyses, session.PARETO_SECTION)


layout.show_title("Which selectors are accurate and stable?", then=("report", "Report"), detour=True)
show_screen()
