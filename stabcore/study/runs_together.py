"""Which runs of a study belong together when it is told how much a stability varies: those made together, and copies."""

from __future__ import annotations

ENOUGH = 5          # pairs, or repeats, from which on they are counted instead of their runs: with fewer, t is wider still


def together(plan, outcomes):
    """(units, sentence) for Preferences.in_units: which unit each of these outcomes belongs to, and what readers must know of it.

    Runs of one unit of the plan (the halves of a pair, the folds of one cross-validation) hold out different rows; left out one by
    one they make intervals too wide, in simulations by up to a half. So the units are left out, where there are enough for that.
    Runs that learned from the same rows are one run that came several times: always of one unit. units None: each by itself.
    """
    rows = [one.held_out.tobytes() if plan.parts_rows and one.held_out is not None and len(one.held_out) else one.run
            for one in outcomes]
    rows_of_units = {}
    for one, row in zip(outcomes, rows, strict=True):
        rows_of_units.setdefault(plan.unit(one.run), set()).add(row)
    units = [frozenset(rows_of_units[plan.unit(one.run)]) for one in outcomes]
    many, different, grouped = len(rows), len(set(rows)), len(set(units))
    sentences = []
    if different < many:
        sentences.append(f"Only {different} of {many} runs learned from different rows; equal ones count once in intervals.")
    if grouped == different:
        units = rows
    elif grouped < ENOUGH:
        units = rows
        sentences.append(f"The runs of one {plan.unit_name} hold out different rows, so they vary less together than runs made one "
                         f"by one. With fewer than {ENOUGH} {plan.unit_name}s they are counted one by one all the same, which "
                         "makes this interval too wide (in simulations by a third to a half).")
    else:
        sentences.append(f"{many} runs count as {grouped} {plan.unit_name}s in intervals: the runs of one were made together.")
    return (_numbers(units) if len(set(units)) < many else None), " ".join(sentences)


def _numbers(labels):
    first = {}
    return [first.setdefault(label, len(first)) for label in labels]
