"""Accuracy: accuracy, stability and size, the Pareto front, and the choice of a selector from it."""

from pages.parts import cache, controls, guards, layout, pareto, session
from pages.parts.frame import Frame
from pages.parts.pareto import choose
from pages.parts.view import View

ANALYSES = {
    "added": ("Added to given columns", pareto.added),
    "weigh": ("Trade-off weight γ", pareto.weigh),
    "change": ("Classic to effective", pareto.change),
    "size": ("Number of features", pareto.size),
    "errors": ("Accuracy ties", pareto.errors),
    "chosen": ("Selectors side by side", pareto.chosen),
    "studies": ("Other studies", pareto.studies),
}
WITHOUT_SCORES = ("added", "size", "studies")


def screen():
    """The front, or the open analysis."""
    frame = Frame()
    view = choose(View(cache.as_compared(guards.require_results(frame)), frame=frame))
    analyses = {
        name: analysis
        for name, analysis in ANALYSES.items()
        if (view.scores or name in WITHOUT_SCORES)
        and (name != "size" or view.sizes_differ or not view.scores)
        and (name != "added" or view.results.given)
    }
    draw = frame.analysis(analyses, session.PARETO_SECTION, "Accuracy") or (pareto.front if view.scores else pareto.size)
    draw(view)
    controls.note_similarity(view, "effective" if draw in (pareto.change, pareto.chosen) else view.measure)
    frame.close(analyses, session.PARETO_SECTION)


layout.title("Which selectors are accurate and stable?", then=("report", "Report"), detour=True)
screen()
