"""No marker matters, and runs agree all the same: they share their patients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stabcore.inference.floor import noise_floor
from stabcore.lessons.lesson import MEAN, Control, Guess, Lesson, agreement, top

PATIENTS, MARKERS = 200, 130


@dataclass(frozen=True)
class LeavingOut:
    """Runs that each leave the same share of the patients out."""

    share: float

    def shared_rows(self):
        """What two runs have in common, on average: one kind of pair."""
        return [(1 - self.share, 1.0)]


def theory(left_out: int, k: int) -> dict[str, float]:
    """The floor of stabcore.inference.floor at ρ = 1 − δ; 0 within complementary halves, which share no patient.
    Known for k = 20 of 130: 0.72, 0.61, 0.45, 0.17 at 5, 10, 20, 50%."""
    return {"floor": float(noise_floor(LeavingOut(left_out / 100), k, MARKERS)), "halves": 0.0}


def simulate(rng, repeats, left_out, k):
    """Studies of a table of noise: two runs that each leave patients out, and two halves; z of the difference of two classes."""
    values = {"floor": np.empty(repeats), "halves": np.empty(repeats)}
    size = PATIENTS // 2
    keep = round(size * (1 - left_out / 100))
    for i in range(repeats):
        sick, well = rng.standard_normal((2, size, MARKERS), dtype=np.float32)
        chosen = top(np.abs(np.stack([_difference(rng, sick, well, keep) for _ in range(2)])), k)
        values["floor"][i] = agreement(chosen[0], chosen[1])
        order = rng.permutation(size)
        parts = [sick[half].mean(axis=0) - well[half].mean(axis=0) for half in (order[:size // 2], order[size // 2:])]
        first_half, other = top(np.abs(np.stack(parts)), k)
        values["halves"][i] = agreement(first_half, other)
    return values


def _difference(rng, sick, well, keep):
    """Difference of the means of so many patients of each class."""
    return sick[rng.permutation(len(sick))[:keep]].mean(axis=0) - well[rng.permutation(len(well))[:keep]].mean(axis=0)


def _say(at, known, seen):
    return (f"Without any signal, two runs that each leave {at['left_out']}% of the patients out come to a stability of "
            f"{known['floor']:.2f} (simulated, {MEAN}: {seen['floor']:.2f}). Two separate halves come to "
            f"{known['halves']:.0f} (simulated, {MEAN}: {seen['halves']:z.2f}), where random sets are.")


LESSON = Lesson(
    key="shared_rows", question="No marker matters. How stable is the selection?",
    story=f"{PATIENTS} patients, {MARKERS} markers, none of which has anything to do with the disease. The markers that "
          "differ most between sick and well are selected, again and again, each time without a few of the patients.",
    ask=lambda at: f"{at['left_out']}% of the patients are left out each time and {at['k']} markers selected. How stable is the "
                   "selection, if 0 is random sets and 1 always the same?",
    guess=Guess(),
    controls=(Control(key="left_out", label="Patients left out each time, %", values=(5, 10, 20, 30, 50), default=5),
              Control(key="k", label=f"Markers selected of {MARKERS}", values=(5, 20, 60), default=20)),
    line=tuple(range(1, 51)), series={"floor": "two runs of a study", "halves": "two separate halves"}, y="Stability (Nogueira)",
    theory=theory, simulate=simulate, say=_say,
    insight="Stable is not true. Runs agree because they share patients, so a stability has to be held against what the same "
            "study gives without any signal; two halves share no patient.",
    source="The floor: Plackett 1954 for two normal scores. Complementary halves: Shah & Samworth, JRSS B 2013",
    page="pages/stability.py", page_label="What would my study give without any signal?")
