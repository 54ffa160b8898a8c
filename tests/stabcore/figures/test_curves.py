"""Curves: what is drawn stands in the frame, and the frame is the profile."""

import numpy as np
import pytest
from figure_support import drawn, numbers, runs

import stabcore as sc
from stabcore.analysis.profiles import profile, random_profile
from stabcore.figures import curves
from stabcore.figures.ends import LINE, name_ends
from stabcore.figures.style import blank


@pytest.mark.parametrize("measure", ["nogueira", "effective", "jaccard"])
def test_curves_draw_the_frame_and_the_frame_is_the_profile(measure):
    study, relation = {"a": runs(seed=1), "b": runs(seed=2)}, sc.Relation.from_groups({"g": [0, 1, 2]}, n_features=9)
    frame = curves.frame_curves(study, measure, relation)
    for label, one in study.items():
        own = profile(one, measure, relation=relation)[["k", "value", "low", "high"]].to_numpy()
        assert frame[frame["selector"] == label][["k", "value", "low", "high"]].to_numpy(dtype=float) == pytest.approx(own,
                                                                                                                       nan_ok=True)
    random = random_profile(7, 9, range(1, 10), measure, relation=relation)
    assert frame[frame["selector"] == curves.RANDOM][list(random)].to_numpy(dtype=float) == pytest.approx(random.to_numpy(),
                                                                                                          nan_ok=True)

    figure = drawn(curves.draw_curves(frame, 4, ["b"]))
    lines = {trace["name"]: trace for trace in figure["data"] if "name" in trace}
    assert set(lines) == {"a", "b", curves.RANDOM}
    for label, trace in lines.items():
        own = frame[frame["selector"] == label]
        assert list(trace["x"]) == own["k"].tolist()
        assert numbers(trace["y"]) == pytest.approx(own["value"].to_numpy(), nan_ok=True)
    edges = [numbers(trace["y"]) for trace in figure["data"][:-2] if "name" not in trace]
    top = frame.assign(high=frame["high"].fillna(frame["value"].where(frame["low"].notna())))       # a lower limit only
    expected = [top[top["selector"] == label][edge].to_numpy() for label in (curves.RANDOM, "b") for edge in ("high", "low")]
    assert all(found == pytest.approx(one, nan_ok=True) for found, one in zip(edges, expected)) and len(edges) == 4
    assert figure["layout"]["shapes"][0]["x0"] == 4


def test_curves_of_one_selector_and_of_rankings_that_end():
    given = runs().scores.copy()
    given[0, 4:] = np.nan
    short = sc.Preferences.from_scores(given)
    frame = curves.frame_curves({"short": short, "long": runs(seed=3)}, "jaccard", sizes=[2, 4, 6])
    assert frame[frame["selector"] == "short"]["k"].tolist() == [2, 4]
    assert frame[frame["selector"] == "long"]["k"].tolist() == [2, 4, 6]
    drawn(curves.draw_curves(frame))
    one = curves.frame_curves({"short": short}, "nogueira")
    drawn(curves.draw_curves(one, 2, ["short"]))
    value = one.loc[(one["selector"] == "short") & (one["k"] == 2), "value"].item()
    assert curves.finding_curves(one, 2, "nogueira") == (
        f"With 2 features, by Nogueira (classic stability), short agrees with itself to {value:.2f}.")
    assert curves.finding_curves(one, 8, "nogueira") == "No selector has a value at 8 features."
    here = frame[frame["k"] == 4].set_index("selector")["value"].drop(curves.RANDOM).sort_values()
    assert curves.finding_curves(frame, 4, "jaccard") == (
        "With 4 features, by Jaccard, no selector clearly agrees with itself more than another, each with its own list "
        f"({here.iloc[0]:.2f} to {here.iloc[1]:.2f}).")


@pytest.mark.parametrize("at", [[0.0] * 9, [1.0] * 9, [0.0, 0.01, 0.02, 0.9, 0.99, 1.0], [-0.09, 0.3]])
def test_no_name_at_the_end_of_a_curve_is_on_the_edge_where_it_would_not_be_drawn(at):
    figure = name_ends(blank(height=400).update_xaxes(range=[0, 1]), [
        (f"a selector of {i}", 1.0, y, "#000000") for i, y in enumerate(at)], (-0.1, 1.1))
    margin, places = figure.layout.margin, np.sort(figure.data[-1].y)
    letter = 1.2 / (figure.layout.height - margin.t - margin.b)
    assert places[0] >= -0.1 + LINE / 2 * letter - 1e-9 and places[-1] <= 1.1 - LINE / 2 * letter + 1e-9
    assert (np.diff(places) >= LINE * letter - 1e-9).all()
