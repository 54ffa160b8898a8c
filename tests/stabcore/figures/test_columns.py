"""Columns of the maps: what was selected in every order, merged groups, two selectors, a part."""

import pytest
from figure_support import cells, drawn, runs, seen, trace

import stabcore as sc
from stabcore.figures import selection_grid
from stabcore.figures.selection_grid import EMPTY
from stabcore.figures.selection_map import ORDERS, arrange

NAMES = ["f", "b", "e", "a", "d", "c", "i", "h", "g"]
GROUPS = {"two": ["a", "e"], "one": ["b", "h"]}
OF = {"a": "two", "e": "two", "b": "one", "h": "one"}


@pytest.mark.parametrize("order", ["frequency", "name", "group"])
def test_the_frame_holds_what_was_selected_in_the_order_asked_for(order):
    one, relation = runs(NAMES), sc.Relation.from_groups(GROUPS, features=NAMES)
    made = seen(one, relation, order)
    often, weight = dict(zip(NAMES, one.frequencies)), dict(zip(NAMES, (one.importances / one.importances.sum(1)[:, None]).sum(0)))
    keys = {"frequency": lambda f: (-often[f], -weight[f], f), "name": lambda f: f,
            "group": lambda f: (f not in OF, OF.get(f, ""), -often[f], -weight[f])}
    assert made.columns["feature"].tolist() == sorted((f for f in NAMES if often[f]), key=keys[order])
    frame = selection_grid.frame_grid(made)
    assert len(frame) == 7 * len(made.columns) and set(frame["run"]) == set(range(1, 8))
    for row in frame.itertuples():
        f = NAMES.index(row.feature)
        assert row.selected == one.selected[row.run - 1, f] and row.importance == one.importances[row.run - 1, f]
        assert row.frequency == often[row.feature] and row.group == OF.get(row.feature, "") and row.of == 1
        assert made.members(row.position - 1) == [f]


def test_merged_groups_count_their_members():
    one, relation = runs(NAMES, M=30, k=3), sc.Relation.from_groups(GROUPS, features=NAMES)
    made = seen(one, relation, merged=True)
    assert set(made.columns["feature"]) == {"one", "two", *(f for f, n in zip(NAMES, one.counts) if n and f not in OF)}
    for row in selection_grid.frame_grid(made).itertuples():
        own = [NAMES.index(f) for f in GROUPS.get(row.feature, [row.feature])]
        assert row.selected == one.selected[row.run - 1, own].sum() and row.of == len(own)
        assert row.importance == pytest.approx(one.importances[row.run - 1, own].sum())
        assert row.frequency == pytest.approx(one.selected[:, own].any(axis=1).mean())
        assert made.members(row.position - 1) == sorted(own)
    assert made.merged and not seen(one, relation).merged
    levels = cells(drawn(selection_grid.draw_grid(made)))
    place = made.columns["feature"].tolist().index("one")
    shades = {count: set(levels[made.counts[:, place] == count, place]) for count in (0, 1, 2)}
    assert shades[0] == {EMPTY} and len(shades[1]) == len(shades[2]) == 1 and shades[1] != shades[2]


def test_two_selectors_have_the_same_columns_and_the_same_colours():
    relation = sc.Relation.from_groups(GROUPS, features=NAMES)
    pair = [runs(NAMES, k=2, seed=1), runs(NAMES, k=3, seed=2, M=9)]
    for order in ORDERS:
        first, second = arrange(pair, relation, order)
        assert first.columns["feature"].tolist() == second.columns["feature"].tolist() and first.groups == second.groups
        assert set(first.columns["feature"]) == {f for f, a, b in zip(NAMES, pair[0].counts, pair[1].counts) if a or b}
        for made, one in zip((first, second), pair):
            expected = [one.frequencies[NAMES.index(f)] for f in made.columns["feature"]]
            assert made.columns["frequency"].tolist() == pytest.approx(expected)
    both = sum(one.frequencies for one in pair)
    shown = [both[NAMES.index(f)] for f in arrange(pair)[0].columns["feature"]]
    assert shown == sorted(shown, reverse=True)


def test_a_part_of_the_columns_keeps_places_and_members():
    made = seen(runs(d=30, k=12))
    part = made.part(4, 9)
    assert part.columns["position"].tolist() == [4, 5, 6, 7, 8, 9] and (part.counts == made.counts[:, 3:9]).all()
    assert [part.members(i) for i in range(6)] == [made.members(i) for i in range(3, 9)]
    assert list(trace(drawn(selection_grid.draw_grid(part)), "heatmap")["y"]) == [4, 5, 6, 7, 8, 9]
