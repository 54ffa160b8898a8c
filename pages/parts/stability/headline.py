"""Stability, the headline: how often each selector brings its own list back, of all runs or of separate halves."""


from pages.parts import cache, figures, text, words
from stabcore.analysis.floors import blind
from stabcore.figures.estimates import (
    JUDGED,
    by_itself,
    draw_estimates,
    finding_estimates,
    frame_estimates,
    judged,
    sentence,
)
from stabcore.figures.halves import COST, draw_halves, finding_halves, frame_halves, sentence_halves

SHOWN = ("nogueira", "effective")
OF_HALVES = ("kappa", "effective")


def draw(view):
    """The picture and a sentence a selector, of separate halves where the study made them."""
    if getattr(view.results.plan, "separate_halves", False):
        two_halves(view)
    else:
        all_runs(view)


def all_runs(view):
    """The agreement of all runs beside what they would show without any signal, with one sentence a selector."""
    table = view.results.table(list(SHOWN), relation=view.relation, k=view.k)
    keys = _telling(view, SHOWN)
    floors = {key: view.floors(key) for key in keys}
    shown = frame_estimates(table, keys, floors)
    figures.figure(draw_estimates(shown), finding_estimates(shown, view.stability_pairs("nogueira")), shown, "stability")
    changes = cache.changes("nogueira", "effective", view.relation, view.k)
    rows = table.join(floors["nogueira"].drop(columns="note")).join(changes)
    _sentences(view, lambda label: sentence(label, rows.loc[label]))
    for line in [*judged(floors["nogueira"]), *by_itself(rows)]:
        words.tell(text.plain(line))


def two_halves(view):
    """What separate halves of the patients agree on, with one sentence a selector."""
    halves = {key: cache.split_half(key, view.relation, view.k) for key in _telling(view, OF_HALVES)}
    shown = frame_halves(halves, len(view.results.features), blind(view.results))
    figures.figure(draw_halves(shown), finding_halves(shown), shown, "halves")
    of_selector = dict(list(shown.groupby("selector")))
    _sentences(view, lambda label: sentence_halves(of_selector[label]))
    words.tell(COST)
    words.tell(text.plain(JUDGED.format(whom="a study without any signal")))


def _telling(view, keys):
    """The measures that tell something of their own: where nothing stands for anything else, the effective one says all again."""
    related = view.relation is not None and view.relation.n_related > 0
    return keys if related else tuple(key for key in keys if key != "effective")


def _sentences(view, sentence_of):
    """One sentence a selector, with the runs that it rests on where some are missing."""
    rests = {label: f" ({runs})" for label, runs in view.missing_runs.items()}
    text.bullets(sentence_of(label) + rests.get(label, "") for label in view.results.ready)
