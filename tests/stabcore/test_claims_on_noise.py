"""No maker of sentences finds a difference where there is none, and each finds a large one. Tried are noise_support.MAKERS."""

import pytest
from noise_support import EQUAL_RESULTS, MAKERS, REGIMES, Compared, noise_study, simulated

MOST = 8            # of 100 results


@pytest.fixture(scope="module")
def on_equals():
    """Of 100 results of equal selectors, drawn in every way in turn: the claims of each maker."""
    results = [Compared(simulated(seed, REGIMES[EQUAL_RESULTS[seed % len(EQUAL_RESULTS)]])) for seed in range(100)]
    return {maker.name: [said for one in results for said in maker.claimed(one)[:1]] for maker in MAKERS}


@pytest.fixture(scope="module")
def on_a_winner():
    return [Compared(simulated(seed, best=True)) for seed in range(3)]


@pytest.mark.parametrize("maker", [one.name for one in MAKERS])
def test_nothing_is_claimed_of_equal_selectors(on_equals, maker):
    claimed = on_equals[maker]
    assert len(claimed) <= MOST, claimed[:3]


@pytest.mark.parametrize("maker", [one for one in MAKERS if one.finds], ids=lambda one: one.name)
def test_a_selector_that_is_better_in_everything_is_found(on_a_winner, maker):
    """A maker that never claims anything would pass the test above."""
    assert all(maker.claimed(one) for one in on_a_winner), [maker.say(one) for one in on_a_winner]


def test_no_selector_predicts_noise_better_than_another(tmp_path):
    """Real selectors on tables without a signal: they differ in stability, but none has learned anything."""
    maker = next(one for one in MAKERS if one.name == "accuracies")
    kinds = ("plain", "few patients", "rare class", "categories", "gaps", "ties", "three classes")
    claimed = [said for seed in range(5) for kind in kinds
               for said in maker.claimed(Compared(noise_study(seed, kind, ("mim", "random"), folder=tmp_path)))]
    assert len(claimed) <= MOST * 5 * len(kinds) / 100, claimed[:3]
