"""Estimates: what is drawn stands in the frame, number by number; gaps, one selector and sentences."""

import json

import numpy as np
import pytest
from figure_support import KEYS, drawn, numbers, table

from stabcore.figures import (
    estimates,
)


def undefined(made, label, *keys):
    """The same table with some numbers of one selector missing."""
    for key in keys:
        made.loc[label, [key, f"{key}_low", f"{key}_high"]] = np.nan
    return made


def test_estimates_draw_the_frame_and_the_frame_is_the_table():
    made = undefined(table(["a", "b", "c", "d"]), "c", "effective")
    frame = estimates.frame_estimates(made, KEYS)
    figure = drawn(estimates.draw_estimates(frame))
    order = made["nogueira"].sort_values().index.tolist()
    assert figure["layout"]["yaxis"]["ticktext"] == order
    for key, trace in zip(KEYS, figure["data"]):
        own = made.loc[order]
        assert numbers(trace["x"]) == pytest.approx(own[key].to_numpy(), nan_ok=True)
        assert np.round(numbers(trace["y"])).tolist() == [0, 1, 2, 3]
        error = trace["error_x"]
        assert numbers(trace["x"]) + numbers(error["array"]) == pytest.approx(own[f"{key}_high"].to_numpy(), nan_ok=True)
        assert numbers(trace["x"]) - numbers(error["arrayminus"]) == pytest.approx(own[f"{key}_low"].to_numpy(), nan_ok=True)
        shown = frame[frame["measure"] == key].set_index("selector").loc[order]
        assert trace["text"] == [f"{label}<br>{text}" for label, text in shown["text"].items()]
        assert shown["value"].to_numpy() == pytest.approx(own[key].to_numpy(), nan_ok=True)
    assert "nan" not in json.dumps(figure["data"][1]["text"])


def test_numbers_are_written_as_people_write_them():
    assert estimates.written(0.5, 0.4, 0.612) == "0.50 [0.40, 0.61]" and estimates.written(0.5, np.nan, np.nan) == "0.50"
    assert estimates.written(np.nan, np.nan, np.nan) == "undefined" and estimates.written(-0.001, -0.004,
                                                                                          0.002) == "0.00 [0.00, 0.00]"


def test_estimates_of_one_selector_of_one_measure_and_of_nothing_defined():
    one = estimates.frame_estimates(table(["only"]), ["nogueira"])
    assert len(drawn(estimates.draw_estimates(one))["data"]) == 1
    said = f"only agrees with itself to {one['value'][0]:.2f}, where 0 is luck and 1 is always the same."
    assert estimates.finding_estimates(one) == said
    nothing = estimates.frame_estimates(undefined(table(["x", "y"]), ["x", "y"], *KEYS), KEYS)
    drawn(estimates.draw_estimates(nothing))
    assert estimates.finding_estimates(nothing) == "No selector has a stability that is defined."
    assert set(nothing["text"]) == {"undefined"}


def test_the_finding_names_the_most_and_the_least_stable():
    made = table(["a", "b", "c"])
    made["nogueira"] = [0.2, 0.9, 0.55]
    found = estimates.finding_estimates(estimates.frame_estimates(made, KEYS))
    assert found == "b brings the same features back most (0.90), a least (0.20); 0 is luck, 1 is always the same."


@pytest.mark.parametrize("value, word", [(0.75, "well"), (0.74, "moderately"), (0.4, "moderately"), (0.39, "poorly"),
                                         (0.1, "poorly"), (0.09, "hardly more often than by luck"),
                                         (-0.1, "hardly more often than by luck"), (-0.11, "less often than by luck")])
def test_the_sentence_of_a_selector_says_how_well_it_does(value, word):
    row = table(["a"]).iloc[0]
    row[["nogueira", "nogueira_low", "nogueira_high", "effective"]] = [value, value - 0.1, value + 0.1, value]
    said = estimates.sentence("a", row)
    assert said == f"a: about 5 features a run, which come back {word} ({value:.2f} [{value - 0.1:.2f}, {value + 0.1:.2f}])."
    row[["effective", "effective_low", "effective_high"]] = [value + 0.2, np.nan, np.nan]
    more = f"; when related features stand for each other it rises to {value + 0.2:.2f}."
    assert estimates.sentence("a", row) == said[:-1] + more
    row["effective"] = value - 0.2
    assert f"it falls to {value - 0.2:.2f}." in estimates.sentence("a", row)
    row["mean_size"] = 1.2
    assert estimates.sentence("a", row).startswith(f"a: about 1 feature a run, which comes back {word}")
    row["effective"] = value + 1e-9
    assert "stand for each other" not in estimates.sentence("a", row)
    row[["nogueira", "nogueira_note"]] = np.nan, "every run selected nothing"
    assert estimates.sentence("a", row) == "a: the agreement is undefined, because every run selected nothing."
