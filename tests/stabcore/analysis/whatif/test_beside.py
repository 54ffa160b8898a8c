"""Two selectors' parts beside each other: the parts of each by itself, and the comparison of what each group holds."""

import numpy as np
import pytest
from support import random_selection

import stabcore as sc
from stabcore.inference.comparison import holm

D, NAMES = 9, list("abcdefghi")


def runs(seed, M=8):
    return sc.Selections.from_matrix(random_selection(np.random.default_rng(seed), M, D, low=3, high=6), NAMES)


@pytest.fixture
def similarity():
    return sc.Similarity.from_groups({"one": ["a", "b", "c"], "two": ["d", "e"]}, names=NAMES).edited({("a", "i"): 0.5})


def test_the_parts_of_both_and_the_comparison_inside_each_group(similarity):
    first, second = runs(1), runs(2)
    frame = sc.whatif.within_between_beside(first, second, similarity)
    assert frame["group"].tolist() == ["one", "two", "(in no group)", "(between groups)", "(all)"]
    for side, own in (("first", first), ("second", second)):
        alone = sc.whatif.within_between(own, similarity)
        for part in ("stability", "variance", "effective_variance", "swaps"):
            np.testing.assert_array_equal(frame[f"{part}_{side}"], alone[part])
    for row, members in zip(frame.itertuples(), ([0, 1, 2], [3, 4], [5, 6, 7, 8], None, range(D))):
        if members is None:
            assert np.isnan(row.difference)
            continue
        gap = sc.compare(*(sc.Selections.from_matrix(one.selection_matrix.toarray()[:, list(members)]) for one in (first, second)))
        assert (row.difference, row.low, row.high) == pytest.approx((gap.difference, gap.low, gap.high))
    assert frame["p_holm"][:3].to_numpy() == pytest.approx(holm(frame["p_value"][:3].to_numpy()))
    assert frame["p_holm"][3:].isna().all()
    apart = sc.whatif.within_between_beside(first, runs(3, 6), similarity, paired=False)
    assert apart["high"].notna().sum() == 4
