"""Figures: what is drawn stands in the frame, number by number; hostile names stay text; gaps, one and many of a kind work."""

import base64
import json
import pkgutil
import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import stabcore as sc
from stabcore import figures
from stabcore.figures import comparisons, curves, estimates, maps, pareto, passport, style
from stabcore.profiles import profile, random_profile
from stabcore.runs import Runs

HOSTILE = ('<a href="http://x">y</a>', "![x](http://y)", "%{x}", "$x$", "<img src=x onerror=alert(1)>", "<script>1</script>",
           "&lt;b&gt;", "%{fullData.name}<extra>", "q" * 300, "<br>", "'\"", "")
TEMPLATES = ("hovertemplate", "texttemplate")
KEYS = ["nogueira", "effective"]


def runs(names=None, M=7, d=9, k=4, seed=0, weights=True, noise=0.8):
    rng = np.random.default_rng(seed)
    scores = np.linspace(2, 0, d) + noise * rng.normal(size=(M, d))
    made = sc.Preferences.from_scores(scores, names)
    return replace(made, given=csr_array(rng.random((M, d))) if weights else None).top(k)


def table(labels, seed=0, keys=KEYS):
    """A result table as the pages have it, of made-up numbers."""
    rng = np.random.default_rng(seed)
    columns = {}
    for key in (*keys, "accuracy"):
        value = rng.random(len(labels))
        columns |= {key: value, f"{key}_low": value - 0.1 * rng.random(len(labels)),
                    f"{key}_high": value + 0.1 * rng.random(len(labels)),
                    f"{key}_note": [""] * len(labels)}
    return pd.DataFrame({**columns, "mean_size": 5.0}, index=pd.Index(labels, name="selector"))


def undefined(made, label, *keys):
    """The same table with some numbers of one selector missing."""
    for key in keys:
        made.loc[label, [key, f"{key}_low", f"{key}_high"]] = np.nan
    return made


def groups(names, size=2):
    return sc.Relation.from_groups({f"{name}·": names[i * size:(i + 1) * size] for i,
                                    name in enumerate(names[: len(names) // size])},
                                   features=names)


def drawn(figure):
    """The figure as a browser gets it: strict JSON, number arrays unpacked."""
    def refuse(token):
        raise AssertionError(f"{token} is not JSON")

    def unpack(value):
        if isinstance(value, dict) and "bdata" in value:
            found = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
            return found.reshape([int(n) for n in str(value.get("shape", len(found))).split(",")])
        if isinstance(value, dict):
            return {key: unpack(one) for key, one in value.items()}
        return [unpack(one) for one in value] if isinstance(value, list) else value

    return unpack(json.loads(figure.to_json(), parse_constant=refuse))


def numbers(values):
    return np.array([np.nan if one is None else one for one in values], dtype=float)


def strings(value, key=""):
    """(key, text) of every string in the JSON, keys of mappings aside."""
    if isinstance(value, dict):
        for name, one in value.items():
            if name != "template":
                yield from strings(one, name)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from strings(one, key)
    elif isinstance(value, str):
        yield key, value


# ---- every figure, of anything ----

def every_figure(names, labels):
    """{what: figure} of runs with these feature names and selectors with these labels."""
    names, labels = list(names), list(labels)
    study = {label: runs(names, d=len(names), seed=i) for i, label in enumerate(labels)}
    one, relation = study[labels[0]], groups(names)
    yield "curves", curves.draw_curves(curves.frame_curves(study, "effective", relation), 3, labels[:2])
    yield "estimates", estimates.draw_estimates(estimates.frame_estimates(table(labels), KEYS))
    yield "fronts", pareto.draw_fronts(pareto.frame_fronts(table(labels), KEYS))
    for order in maps.ORDERS:
        yield f"grid by {order}", maps.draw_grid(maps.frame_grid(one, relation, order))
    yield "grid without groups", maps.draw_grid(maps.frame_grid(one))
    for most in (3, 40):
        yield f"rectangles {most}", maps.draw_rectangles(maps.frame_rectangles(one, relation, most))
    yield "rectangles without groups", maps.draw_rectangles(maps.frame_rectangles(one))
    yield "ranks", passport.draw_ranks(passport.frame_ranks(study, names[0]))
    brought = Runs(study)
    yield "comparisons", comparisons.draw_comparisons(comparisons.frame_comparisons(brought, "nogueira"))
    yield "agreement", comparisons.draw_agreement(comparisons.frame_agreement(brought, ["nogueira", "jaccard"]))


def test_hostile_names_stay_text_in_every_figure():
    for what, figure in every_figure(HOSTILE, HOSTILE):
        for key, text in strings(drawn(figure)):
            if key in TEMPLATES:
                continue
            rest = re.sub("<br>", " ", text)
            assert not re.search(r"[<>$]", rest), (what, key, text)
            assert len(max(text.split(), key=len, default="")) <= 100 and "q" * 41 not in text, (what, key)
            assert not re.search(r"&(?!(amp|lt|gt|#36);)", text), (what, key,
                                                                   text)     # plotly draws other entities letter by letter


def test_no_template_holds_a_name():
    """A browser evaluates what stands in a template, so names may not change any."""
    def templates(names):
        return {(what, text) for what, figure in every_figure(names, names) for key, text in strings(drawn(figure))
                if key in TEMPLATES}

    assert templates(HOSTILE) == templates([f"{i}" for i in range(len(HOSTILE))]) != set()


def test_no_figure_escapes_that_test():
    tried = {what.split()[0].rstrip("s") for what, _ in every_figure("abcd", "ab")}
    modules = [import_module(f"stabcore.figures.{one.name}") for one in pkgutil.iter_modules(figures.__path__)]
    assert {name[5:].rstrip("s") for module in modules for name in vars(module) if name.startswith("draw_")} == tried


def test_frames_and_sentences_keep_names_as_they_are():
    """Tables and sentences have their own ways to be safe; escaping twice would show."""
    study = {label: runs(list(HOSTILE), d=len(HOSTILE), seed=i) for i, label in enumerate(HOSTILE)}
    assert set(curves.frame_curves(study, "jaccard")["selector"]) == {*HOSTILE, curves.RANDOM}
    assert set(maps.frame_grid(study[HOSTILE[0]])["feature"]) <= set(HOSTILE)
    assert tuple(estimates.frame_estimates(table(HOSTILE), KEYS)["selector"]) == HOSTILE * 2
    assert HOSTILE[0] in estimates.sentence(HOSTILE[0], table(HOSTILE).iloc[0])


def test_safe_names_are_text_of_bearable_length():
    assert style.safe("<b>&$") == "&lt;b&gt;&amp;&#36;" and style.safe('5" \'x\'') == '5" \'x\'' and style.safe(7) == "7"
    assert style.safe("x" * 40) == "x" * 40 and style.safe("x" * 41) == "x" * 39 + "…"
    assert style.safe("<" * 300) == "&lt;" * 39 + "…"             # cut before it is escaped, never inside of &lt;


def test_names_that_begin_alike_for_40_letters_stay_apart():
    labels = ["z" * 60 + end for end in "ab"]
    figure = drawn(estimates.draw_estimates(estimates.frame_estimates(table(labels), KEYS)))
    assert len(figure["data"][0]["x"]) == 2 and list(figure["layout"]["yaxis"]["tickvals"]) == [0, 1]
    frame = maps.frame_grid(runs(labels + ["c"], d=3, k=2))
    assert np.shape(drawn(maps.draw_grid(frame))["data"][0]["z"]) == (7, frame["feature"].nunique())


def test_colours_come_with_another_channel():
    for names in (range(8), range(20)):
        channels = style.channels(names)
        assert len(channels) == len(names) and len({(colour, symbol) for colour, symbol, _ in channels.values()}) == len(names)


# ---- curves ----

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
    edges = [numbers(trace["y"]) for trace in figure["data"] if "name" not in trace]
    expected = [frame[frame["selector"] == label][edge].to_numpy() for label in (curves.RANDOM, "b") for edge in ("high", "low")]
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
        f"With 2 features, short agrees with itself to {value:.2f} by Nogueira (classic stability).")
    assert curves.finding_curves(one, 8, "nogueira") == "No selector has a value at 8 features."
    here = frame[frame["k"] == 4].set_index("selector")["value"].drop(curves.RANDOM).sort_values()
    assert curves.finding_curves(frame, 4, "jaccard") == (
        f"With 4 features, {here.index[1]} agrees with itself most ({here.iloc[1]:.2f}) and {here.index[0]} least "
        f"({here.iloc[0]:.2f}) by Jaccard.")


# ---- estimates ----

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
                                         (0.1, "poorly"),
                                         (0.09, "hardly more than luck"), (-0.5, "hardly more than luck")])
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
    row[["nogueira", "nogueira_note"]] = np.nan, "every run selected nothing"
    assert estimates.sentence("a", row) == "a: the agreement is undefined, because every run selected nothing."


# ---- fronts ----

def test_fronts_draw_the_frame_with_the_front_of_each_measure():
    made = table(list("abcde"))
    for key, values in (("accuracy", [0.9, 0.8, 0.7, 0.6, 0.5]), ("nogueira", [0.2, 0.5, 0.4, 0.9, 0.1]),
                        ("effective", [0.3, 0.9, 0.6, 0.2, 0.7])):
        made[[f"{key}_low", f"{key}_high"]] += (values - made[key]).to_numpy()[:, None]
        made[key] = values
    made = undefined(made, "b", "effective")
    frame = pareto.frame_fronts(made, KEYS)
    figure = drawn(pareto.draw_fronts(frame))
    for panel, key in enumerate(KEYS):
        axis = "x" + "2" * panel
        expected = sc.front(pd.DataFrame({"accuracy": made["accuracy"], "stability": made[key]}))
        traces = [trace for trace in figure["data"] if trace["xaxis"] == axis]
        line, points = traces[0], {trace["legendgroup"]: trace for trace in traces[1:]}
        edge = made[expected["on_front"]].sort_values(key)
        assert list(line["x"]) == edge[key].tolist() and list(line["y"]) == edge["accuracy"].tolist()
        for row in frame[frame["measure"] == key].itertuples():
            trace = points[row.selector]
            assert (row.on_front, row.beaten_by) == pytest.approx(tuple(expected.loc[row.selector, ["on_front", "beaten_by"]]),
                                                                  nan_ok=True)
            assert numbers([*trace["x"], *trace["y"]]) == pytest.approx([row.stability, row.accuracy], nan_ok=True)
            assert trace["marker"]["symbol"].endswith("-open") == (not row.on_front)
            assert trace["text"] == [row.selector if row.on_front else ""] and "nan" not in trace["hovertext"][0]
            for error, value, low, high in ((trace["error_x"], row.stability, row.low, row.high),
                                            (trace["error_y"], row.accuracy, row.accuracy_low, row.accuracy_high)):
                ends = [value + numbers(error["array"])[0], value - numbers(error["arrayminus"])[0]]
                assert ends == pytest.approx([high, low], nan_ok=True)


def test_the_finding_says_who_is_on_the_front_and_what_changes():
    made = table(["a", "b", "c"])
    made["accuracy"], made["nogueira"], made["effective"] = [0.9, 0.8, 0.7], [0.5, 0.6, 0.4], [0.9, 0.6, 0.95]
    assert pareto.finding_fronts(pareto.frame_fronts(made, KEYS)) == (
        "By Nogueira (classic stability), no other selector is both more accurate and more stable than a or b. By Effective "
        "stability, c enters the front and b leaves the front.")
    made["effective"] = made["nogueira"]
    assert pareto.finding_fronts(pareto.frame_fronts(made, KEYS)).endswith("By Effective stability, the front stays the same.")
    made["effective"] = np.nan
    assert pareto.finding_fronts(pareto.frame_fronts(made, KEYS)).endswith("no selector has a stability that is defined.")
    made["accuracy"] = np.nan
    nothing = pareto.frame_fronts(made, KEYS)
    drawn(pareto.draw_fronts(nothing))
    assert pareto.finding_fronts(nothing) == "No selector has both an accuracy and a stability yet."
    assert " than only." in pareto.finding_fronts(pareto.frame_fronts(table(["only"]), ["nogueira"]))


# ---- the grid ----

@pytest.mark.parametrize("order", maps.ORDERS)
def test_the_grid_draws_what_was_selected_in_the_order_asked_for(order):
    names = ["f", "b", "e", "a", "d", "c", "i", "h", "g"]
    one, relation = runs(names, noise=2), sc.Relation.from_groups({"two": ["a", "e"], "one": ["b", "h"]}, features=names)
    frame = maps.frame_grid(one, relation, order)
    columns = frame.drop_duplicates("feature").sort_values("position")
    group = {"a": "two", "e": "two", "b": "one", "h": "one"}
    often = dict(zip(names, one.frequencies))
    keys = {"frequency": lambda f: (-often[f], f), "name": lambda f: f,
            "group": lambda f: (f not in group, group.get(f, ""), -often[f], f)}
    assert columns["feature"].tolist() == sorted((f for f in names if often[f]), key=keys[order])
    for row in frame.itertuples():
        f = names.index(row.feature)
        assert row.selected == one.selected[row.run - 1, f] and row.importance == one.importances[row.run - 1, f]
        assert row.frequency == often[row.feature] and row.group == group.get(row.feature, "")
    figure = drawn(maps.draw_grid(frame))
    z = np.array(figure["data"][0]["z"])
    assert (z > 0).tolist() == frame.pivot(index="run", columns="position", values="selected").to_numpy().tolist()
    assert list(figure["data"][0]["x"]) == columns["position"].tolist() and list(figure["data"][0]["y"]) == list(range(1, 8))
    assert figure["layout"]["xaxis"]["ticktext"] == columns["feature"].tolist()
    assert figure["data"][0]["text"][0] == [f"{f}<br>selected in {often[f]:.0%} of runs" + (f"<br>group {group[f]}" if f in group
                                                                                            else "")
                                            for f in columns["feature"]]


def cell_colours(trace):
    """(rows, columns) of the colour that each cell gets from the colour scale."""
    scale, low, high = trace["colorscale"], trace["zmin"], trace["zmax"]
    at = (np.array(trace["z"], dtype=float) - low) / (high - low)
    return [[next(colour for (edge, colour), (above, _) in zip(scale, scale[1:]) if edge < one < above) for one in row]
            for row in at]


@pytest.mark.parametrize("n_groups", [0, 1, 7, 8, 12])
def test_groups_have_colours_of_their_own_up_to_seven(n_groups):
    names = [f"f{i:02}" for i in range(30)]
    one = sc.Preferences.from_selection_matrix(np.ones((3, 30), dtype=int), names)
    sizes = [3, 2] + [1] * 40
    members, at = {}, 0
    for g in range(n_groups):
        members[f"g{g:02}"] = names[at:at + sizes[g]]
        at += sizes[g]
    figure = drawn(maps.draw_grid(maps.frame_grid(one, sc.Relation.from_groups(members, features=names), "name")))
    colours = cell_colours(figure["data"][0])
    assert all(row == colours[0] for row in colours)
    of = dict(zip(names, colours[0]))
    legend = {trace["name"]: trace["marker"]["color"] for trace in figure["data"][1:]}
    own = [{of[f] for f in group} for group in members.values()]
    assert all(len(one) == 1 for one in own)
    coloured = {colour for one in own for colour in one}
    assert len(coloured) == min(n_groups, 8) and len(legend) == (min(n_groups, 8) + 1 if n_groups else 0)
    for group, (colour,) in zip(members, own):
        assert colour == legend.get(group, legend.get("other groups"))
    alone = {of[f] for f in names[at:]}
    assert len(alone) == 1 and not alone & coloured and (not n_groups or alone == {legend["single features"]})


def test_the_grid_of_hundreds_of_features_has_no_labels_but_all_cells():
    one = runs(d=400, k=300, M=10)
    frame = maps.frame_grid(one)
    figure = drawn(maps.draw_grid(frame))
    ever = frame["feature"].nunique()
    assert ever > 300 and np.shape(figure["data"][0]["z"]) == (10, ever) and "ticktext" not in figure["layout"]["xaxis"]
    assert (np.array(figure["data"][0]["z"]) > 0).sum() == 3000
    drawn(maps.draw_rectangles(maps.frame_rectangles(one)))
    frame = curves.frame_curves({"a": one}, "nogueira")
    assert len(drawn(curves.draw_curves(frame))["data"][2]["x"]) == 400


def test_the_finding_of_the_grid_counts():
    matrix = np.zeros((10, 6), dtype=int)
    matrix[:, 0], matrix[:9, 1], matrix[0, 2], matrix[:2, 3] = 1, 1, 1, 1
    frame = maps.frame_grid(sc.Preferences.from_selection_matrix(matrix))
    assert maps.finding_grid(frame, 6) == (
        "4 of 6 features were selected at least once in 10 runs; 1 in every run, 1 in at most one run in ten.")
    assert "importance" not in frame


# ---- the rectangles ----

def test_the_rectangles_are_the_importances_scaled_to_the_mean_size():
    one, relation = runs(noise=2), sc.Relation.from_groups({"g": [0, 1], "h": [4, 5]}, n_features=9)
    frame = maps.frame_rectangles(one, relation)
    scaled = one.importances / one.importances.sum(axis=1, keepdims=True) * one.sizes.mean()
    for row in frame.itertuples():
        f = int(row.feature[1:]) - 1
        assert row.width == pytest.approx(scaled[row.run - 1, f]) and row.share == pytest.approx(row.width / one.sizes.mean())
        assert row.frequency == one.frequencies[f] and row.group == {0: "g", 1: "g", 4: "h", 5: "h"}.get(f, "")
    assert len(frame) == np.count_nonzero(one.importances)
    for _, run in frame.groupby("run"):
        assert run["width"].sum() == pytest.approx(one.sizes.mean())
        assert (run["start"] + run["width"]).to_numpy()[:-1] == pytest.approx(run["start"].to_numpy()[1:])
        assert run["start"].iloc[0] == pytest.approx(0) and run["frequency"].is_monotonic_decreasing
    trace = drawn(maps.draw_rectangles(frame))["data"][0]
    assert list(trace["y"]) == frame["run"].tolist() and list(trace["x"]) == frame["width"].tolist()
    assert list(trace["base"]) == frame["start"].tolist()
    assert trace["text"] == [f"{row.feature}<br>selected in {row.frequency:.0%} of runs<br>{row.share:.1%} of the run's importance"
                             for row in frame.itertuples()]
    by_group = dict(zip(frame["group"], trace["marker"]["color"]))
    assert all(by_group[group] == colour for group, colour in zip(frame["group"], trace["marker"]["color"]))
    assert len(set(by_group.values())) == 3 and by_group[""] == style.GREY


def test_features_beyond_the_most_often_selected_are_one_rectangle():
    one = runs(noise=2)
    whole, cut = maps.frame_rectangles(one), maps.frame_rectangles(one, most=3)
    rest = cut[cut["feature"].str.startswith("all others")]
    kept = whole["feature"].drop_duplicates()
    often = sorted((-c, -s, f"f{i + 1}") for i, (c, s) in enumerate(zip(one.counts, whole.groupby("feature")["width"].sum().reindex(
        [f"f{i + 1}" for i in range(9)]).fillna(0))))[:3]
    assert set(cut["feature"]) - set(rest["feature"]) == {name for _, _, name in often}
    assert set(rest["feature"]) == {f"all others ({len(kept) - 3})"}
    assert rest["frequency"].isna().all() and (rest["group"] == "").all()
    assert cut.groupby("run")["width"].sum().to_numpy() == pytest.approx(whole.groupby("run")["width"].sum().to_numpy())
    drawn(maps.draw_rectangles(cut))


def test_without_importances_every_selected_feature_is_as_wide():
    one = runs(weights=False)
    frame = maps.frame_rectangles(one)
    assert frame["width"].to_numpy() == pytest.approx(np.ones(28)) and frame["share"].to_numpy() == pytest.approx(np.full(28, 0.25))


def test_the_finding_of_the_rectangles_shares_out_all_importance_and_never_counts_the_rest_as_a_feature():
    importances = np.array([[6, 2, 1, 1, 0], [6, 2, 0, 1, 1], [0, 0, 0, 0, 0], [6, 2, 1, 0, 1.0]])      # the third run is empty
    one = sc.Preferences.from_importances(importances)
    found = maps.finding_rectangles(maps.frame_rectangles(one))
    assert found == ("Of the 5 features drawn one by one, 0 were selected in at least 80 % of the runs and carry 0% of all "
                     "importance; the largest share of one feature is 60%.")
    three = sc.Preferences.from_importances(importances[[0, 1, 3]])
    assert "5 features drawn one by one, 2 were selected in at least 80 % of the runs and carry 80%" in maps.finding_rectangles(
        maps.frame_rectangles(three))
    even = sc.Preferences.from_selection_matrix(np.ones((3, 50), dtype=int))
    assert maps.finding_rectangles(maps.frame_rectangles(even, most=10)) == (
        "Of the 10 features drawn one by one, 10 were selected in at least 80 % of the runs and carry 20% of all importance; the "
        "largest share of one feature is 2%.")


# ---- nothing at all, or hardly anything ----

@pytest.mark.parametrize("make", [lambda: sc.Preferences.from_selection_matrix(np.zeros((4, 3), dtype=int)),
                                  lambda: sc.Preferences.from_importances(np.zeros((4, 3)))])
def test_runs_that_selected_nothing_have_empty_figures(make):
    relation = sc.Relation.from_groups({"g": [0, 1]}, n_features=3)
    for order in maps.ORDERS:
        grid = maps.frame_grid(make(), relation, order)
        assert grid.empty and list(grid)[:3] == ["run", "feature", "position"]
        drawn(maps.draw_grid(grid))
    rectangles = maps.frame_rectangles(make(), relation)
    assert rectangles.empty
    drawn(maps.draw_rectangles(rectangles))
    assert maps.finding_grid(grid, 3) == "No run selected any feature."
    assert maps.finding_rectangles(rectangles) == "No run gave any feature importance."


def test_some_empty_runs_are_empty_rows():
    matrix = np.array([[1, 0, 1], [0, 0, 0], [1, 0, 0]])
    frame = maps.frame_grid(sc.Preferences.from_selection_matrix(matrix))
    assert np.array(drawn(maps.draw_grid(frame))["data"][0]["z"]).tolist() == [[1, 1], [0, 0], [1, 0]]
    rectangles = maps.frame_rectangles(sc.Preferences.from_selection_matrix(matrix))
    assert rectangles["run"].tolist() == [1, 1, 3] and rectangles["width"].tolist() == [0.5, 0.5, 1]


def test_a_million_features_of_which_few_were_selected():
    sets = [np.arange(i, i + 20) * 997 for i in range(5)]
    one = sc.Preferences.from_sets(sets, n_features=1_000_000)
    assert maps.frame_grid(one)["feature"].nunique() == 24
    assert len(maps.frame_rectangles(one)) == 100
