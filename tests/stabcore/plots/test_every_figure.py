"""Every figure: hostile names stay text, templates hold no names, colours are paired with symbols."""

import json
import pkgutil
import re
from importlib import import_module

import numpy as np
import plotly.io
import pytest
from every_figure_support import beside_floors, every_figure
from figure_support import drawn, runs
from support import slow

from stabcore import plots
from stabcore.plots import noise_floor, selection_grid, style
from stabcore.plots.names import safe
from stabcore.plots.rendering import screen_figure
from stabcore.plots.selection_map import selection_maps

HOSTILE = (
    *('<a href="http://x">y</a>', "![x](http://y)", "%{x}", "$x$", "<img src=x onerror=alert(1)>", "<script>1</script>"),
    *("&lt;b&gt;", "%{fullData.name}<extra>", "q" * 300, "<br>", "'\"", ""),
)
LABELS = (*HOSTILE[:4], HOSTILE[8], "")  # names of selectors, which are compared in pairs
TEMPLATES = ("hovertemplate", "texttemplate")


def strings(value, key=""):
    """Yield (key, text) of every string value in the JSON."""
    if isinstance(value, dict):
        for name, child in value.items():
            if name != "template":
                yield from strings(child, name)
    elif isinstance(value, (list, tuple)):
        for child in value:
            yield from strings(child, key)
    elif isinstance(value, str):
        yield key, value


@pytest.fixture(scope="module")
def hostile():
    """{name of the figure: figure as sent to the browser}, with only hostile names."""
    return {what: drawn(figure) for what, figure in every_figure(HOSTILE, LABELS)}


@pytest.fixture(scope="module")
def harmless():
    """{name of the figure: (figure, figure as sent to the browser)}."""
    names = [f"{i}" for i in range(len(HOSTILE))]
    return {what: (figure, drawn(figure)) for what, figure in every_figure(names, names[: len(LABELS)])}


def test_hostile_names_stay_text_in_every_figure(hostile):
    for what, figure in hostile.items():
        for key, text in strings(figure):
            if key in TEMPLATES:
                continue
            rest = re.sub(r'<br>|</?b>|<span style="color:[#\w(),.]+">|</span>', " ", text)  # our own tags
            assert not re.search(r"[<>$]", rest), (what, key, text)
            assert len(max(text.split(), key=len, default="")) <= 100 and "q" * 41 not in text, (what, key)
            assert not re.search(r"&(?!(amp|lt|gt|#36);)", text), (what, key, text)  # plotly does not decode other entities


def test_no_template_holds_a_name(hostile, harmless):
    """A browser evaluates templates, so names must not change them."""

    def templates(figures):
        return {(what, text) for what, figure in figures for key, text in strings(figure) if key in TEMPLATES}

    assert templates(hostile.items()) == templates((what, seen) for what, (_, seen) in harmless.items()) != set()


def same(first, second):
    """Return whether two JSON values are equal, numbers to six digits."""
    if isinstance(first, dict):
        return isinstance(second, dict) and first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, np.ndarray) and first.dtype.kind in "fiu":
        return np.allclose(first, np.array(second, dtype=float), rtol=1e-6, atol=0, equal_nan=True)
    if isinstance(first, (list, np.ndarray)):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, (float, np.floating)) and not np.isfinite(first):
        return second is None
    if isinstance(first, (int, float, np.number)) and not isinstance(first, bool):
        return second == f"{first:g}" if isinstance(second, str) else second == pytest.approx(first, rel=1e-6)
    return first == second


def within(part, whole):
    """Return whether every entry of part is in whole, with an equal value."""
    return all(within(value, whole[name]) if isinstance(value, dict) else same(value, whole[name]) for name, value in part.items())


@pytest.mark.parametrize("which", ["one of each kind", slow("all")])
def test_every_figure_is_sent_with_its_own_numbers(harmless, which):
    kinds = {name.split()[0]: name for name in harmless} if which != "all" else {name: name for name in harmless}
    for name in kinds.values():
        figure, seen = harmless[name]
        before = figure.to_json()
        made = json.loads(plotly.io.to_json(screen_figure(figure), validate=False))
        assert same(seen["data"], made["data"]), name
        layout = {key: value for key, value in seen["layout"].items() if key != "template"}
        assert within(layout, made["layout"]), name
        assert "template" not in made["layout"] and "bdata" not in json.dumps(made) and made["layout"]["datarevision"] == 0, name
        assert figure.to_json() == before, f"{name} was changed by sending it"


def test_titles_of_axes_fit_a_telephone(hostile):
    for what, figure in hostile.items():
        title = figure["layout"]["xaxis"].get("title", {}).get("text", "") if "xaxis" in figure["layout"] else ""
        assert all(len(line) <= 44 for line in title.split("<br>")), (what, title)


def test_every_draw_function_is_tested(hostile):
    tried = {what.split()[0].rstrip("s") for what in hostile}
    modules = [import_module(f"stabcore.plots.{info.name}") for info in pkgutil.iter_modules(plots.__path__)]
    assert {name[5:].rstrip("s") for module in modules for name in vars(module) if name.startswith("draw_")} == tried


def test_safe_names_are_escaped_and_cut():
    assert safe("<b>&$") == "&lt;b&gt;&amp;&#36;" and safe("5\" 'x'") == "5\" 'x'" and safe(7) == "7"
    assert safe("x" * 40) == "x" * 40 and safe("x" * 41) == "x" * 39 + "…"
    assert safe("<" * 300) == "&lt;" * 39 + "…"  # cut before escaping, so never inside &lt;


def test_names_equal_in_the_first_40_characters_stay_apart():
    labels = ["z" * 60 + end for end in "ab"]
    figure = drawn(noise_floor.draw_beyond(noise_floor.frame_beyond({"runs": beside_floors(labels)})))
    assert len(figure["data"][0]["x"]) == 2 and sorted(figure["layout"]["yaxis"]["tickvals"]) == [0, 1]
    seen = selection_maps([runs(labels + ["c"], d=3, k=2, noise=0.8)])[0]
    figure = drawn(selection_grid.draw_grid(seen))
    assert [np.shape(trace["z"]) for trace in figure["data"] if trace["type"] == "heatmap"] == [(2, 7)]
    assert len(figure["layout"]["yaxis"]["ticktext"]) == 2 == len(seen.columns)


def test_colours_are_paired_with_symbols():
    for names in (range(8), range(20)):
        channels = style.name_styles(names)
        assert len(channels) == len(names) and len({(colour, symbol) for colour, symbol, _ in channels.values()}) == len(names)
