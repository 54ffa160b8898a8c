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
from stabcore.clustering import suggest
from stabcore.figures import (
    changes,
    comparisons,
    compromise,
    convergence,
    curves,
    estimates,
    influence,
    knots,
    maps,
    pareto,
    passport,
    rectangles,
    relations,
    sizes,
    studies,
    style,
    whatif,
)
from stabcore.figures.columns import ORDERS, arrange
from stabcore.overview import look
from stabcore.profiles import profile, random_profile
from stabcore.runs import Runs
from stabcore.whatif import CorrelationBins
from stabcore.whatif import influence as find_influence

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
    yield "estimates", estimates.draw_estimates(estimates.frame_estimates(table(labels), KEYS))
    yield from every_front(table(labels), labels)
    yield from every_profile(study, relation, labels)
    for order in ORDERS:
        yield f"grid by {order}", maps.draw_grid(arrange([one], relation, order)[0])
    seen = arrange([one], relation, picked=names[:2], folds=[[1, 1, 1, 2, 2, 2, 2]])[0]
    for what, shown in (("highlighted", seen), ("merged", arrange([one], relation, merged=True)[0]), ("plain", arrange([one])[0])):
        yield f"grid {what}", maps.draw_grid(shown)
        for most in (3, 40):
            yield f"rectangles {what} {most}", rectangles.draw_rectangles(rectangles.frame_rectangles(shown, most), shown)
    yield "ranks", passport.draw_ranks(passport.frame_ranks(study, names[0]))
    brought = Runs(study)
    yield "comparisons", comparisons.draw_comparisons(comparisons.frame_comparisons(brought, "nogueira"))
    yield "agreement", comparisons.draw_agreement(comparisons.frame_agreement(brought, ["nogueira", "jaccard"]))
    yield "relation", relations.draw_relation(relations.frame_relation(look(relation), names))
    yield from every_what_if(study, one, relation, names)
    tree = suggest(pd.DataFrame(np.random.default_rng(0).normal(size=(20, len(names))), columns=names))
    yield "tree", relations.draw_tree(relations.frame_tree(tree, 0.3), [tree.features[i] for i in tree.order], 0.3)


def every_profile(study, relation, labels):
    found = knots.frame_knots(study, "effective", relation)
    yield "curves", curves.draw_curves(curves.frame_curves(study, "effective", relation), 3, labels[:2],
                                      found.assign(k=2.0, low=1.0, high=3.0))
    yield "knots", knots.draw_knots(found.assign(k=2.0, low=1.0, high=3.0), 3)
    yield "marginal", knots.draw_marginal(knots.frame_marginal(study, 2), 3, labels[:1])
    yield "convergence", convergence.draw_convergence(convergence.frame_convergence(study), labels[:1])


def every_what_if(study, one, relation, names):
    noise = pd.DataFrame(np.random.default_rng(1).normal(size=(20, len(names))), columns=names)
    frame = whatif.frame_thresholds(study, CorrelationBins.of(noise))
    yield "thresholds", whatif.draw_thresholds(frame, 0.5)
    yield "effects", whatif.draw_effects(whatif.frame_effects(one, relation))
    yield "movers", whatif.draw_movers(whatif.frame_movers(one, relation), names[:1])
    yield "parts", whatif.draw_parts(whatif.frame_parts(one, relation), "run")
    pairs = influence.frame_influence(find_influence(one, relation))
    yield "influence", influence.draw_influence(pairs, names[:2], names[:1])


def every_front(made, labels):
    frame = pareto.frame_fronts(made, KEYS)
    yield "fronts", pareto.draw_fronts(frame)
    yield "fronts with ellipses", pareto.draw_fronts(frame, "effective", ellipses=True, dominated=False, chosen=labels[:1])
    weighed = compromise.frame_compromise(made, "nogueira")
    yield "compromise", compromise.draw_compromise(weighed)
    yield "reach", compromise.draw_reach(compromise.frame_reach(weighed), 0.5)
    yield "changes", changes.draw_changes(changes.frame_changes(made, *KEYS), *KEYS)
    for axes in (("size", "stability"), ("size", "stability", "accuracy")):
        yield f"space {len(axes)}", sizes.draw_space(sizes.frame_space(made, "nogueira"), axes)
    yield "sizes", sizes.draw_sizes(sizes.frame_sizes(made, "nogueira"), labels[:1])
    yield "studies", studies.draw_studies(studies.frame_studies({labels[0]: made, f"{labels[-1]} ": made}, "nogueira"))


def test_hostile_names_stay_text_in_every_figure():
    for what, figure in every_figure(HOSTILE, HOSTILE):
        for key, text in strings(drawn(figure)):
            if key in TEMPLATES:
                continue
            rest = re.sub("<br>|</?b>", " ", text)           # our own; those in names are escaped
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
    assert set(maps.frame_grid(arrange([study[HOSTILE[0]]])[0])["feature"]) <= set(HOSTILE)
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
    seen = arrange([runs(labels + ["c"], d=3, k=2)])[0]
    figure = drawn(maps.draw_grid(seen))
    assert [np.shape(trace["z"]) for trace in figure["data"] if trace["type"] == "heatmap"] == [(7, 2)]
    assert len(figure["layout"]["xaxis"]["ticktext"]) == 2 == len(seen.columns)


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
