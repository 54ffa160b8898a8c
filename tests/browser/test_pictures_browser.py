"""Pictures that can be read: nothing is cut or covered on a desk or a telephone, and the main ones look as they were looked at.

The references are small: sheets of pictures 96 pixels wide, blurred before they are compared, so that other fonts and another
Chromium do no harm. Where a picture is meant to look otherwise: `REMAKE_PICTURES=1 pytest tests/browser/test_pictures_browser.py`
makes them anew, to be looked at before they are kept.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from every_figure_support import every_figure
from picture_support import DESK, FAULTS, LARGE, TELEPHONE, draw, seen, studio

from stabcore.figures.style import STRIP

FEATURES = ("alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols", "flavanoids", "nonflavanoid_phenols",
            "proanthocyanins", "color_intensity", "hue", "od280/od315_of_diluted_wines", "proline")
SELECTORS = ("Lasso", "Random forest", "Boosted stumps (GBM)", "Mutual information (MIM)", "mRMR",
             "Conditional mutual information (CMIM)", "ANOVA F statistic", "Random ranking (baseline)")
SETTINGS = {"light": (DESK, "light"), "dark": (DESK, "dark"), "telephone": (TELEPHONE, "light"), "large": (LARGE, "light")}
KEPT = ("grid by group", "rectangles plain 40", "fronts", "changes", "compromise", "thresholds", "curves", "studies", "ranked",
        "influence", "agreement 3", "relation", "tree", "effects", "panel", "scenarios", "halves")
IN_SPACE = "space 3"                    # which a browser without a graphics card does not draw
FOLDER = Path(__file__).parent / "pictures"
WIDE, BLUR = 96, 2                      # pixels
STEP = 8                                # of 255: colours that are kept
MEAN, PLACE = 4.0, 45.0                 # of 255: how far all of a picture, and the worst place in it, may be from the reference


@pytest.fixture(scope="module")
def figures():
    return dict(every_figure(FEATURES, SELECTORS))


@pytest.fixture(scope="module")
def paper(browser):
    page = studio(browser)
    yield page
    page.close()


def small(image):
    """A picture as it is kept."""
    return image.resize((WIDE, round(image.height * WIDE / image.width)), 1)


def apart(one, other):
    """(mean, largest) distance of two pictures of the same shape, blurred; (255, 255) where one is much taller."""
    from PIL import ImageFilter

    if abs(one.height - other.height) > 2:
        return 255.0, 255.0
    one, other = (np.asarray(each.resize(one.size).filter(ImageFilter.GaussianBlur(BLUR)), dtype=float) for each in (one, other))
    distance = np.abs(one - other).max(axis=2)
    return distance.mean(), distance.max()


def sheet(images):
    """Pictures below each other, in colours that take little room."""
    from PIL import Image

    whole = Image.new("RGB", (WIDE, sum(one.height for one in images)))
    for image, top in zip(images, np.cumsum([0, *(one.height for one in images)])):
        whole.paste(image, (0, int(top)))
    return whole.point(lambda value: min(255, round(value / STEP) * STEP))


def on_sheet(name, heights):
    """The pictures of a sheet, of these heights."""
    from PIL import Image

    whole = Image.open(FOLDER / f"{name}.png").convert("RGB")
    tops = np.cumsum([0, *heights])
    return [whole.crop((0, int(top), WIDE, int(top) + height)) for top, height in zip(tops, heights)], whole.height


@pytest.mark.parametrize("width", [TELEPHONE, pytest.param(DESK, marks=pytest.mark.slow)])
def test_nothing_in_any_picture_is_cut_or_covered(paper, figures, width):
    faults = {}
    for name, figure in figures.items():
        if name != IN_SPACE:
            draw(paper, figure, width)
            faults[name] = paper.evaluate(FAULTS, STRIP)
    assert not {name: one for name, one in faults.items() if one}


@pytest.mark.parametrize("setting", ["light", *(pytest.param(one, marks=pytest.mark.slow) for one in list(SETTINGS)[1:])])
def test_the_main_pictures_look_as_they_were_looked_at(paper, figures, setting):
    images = []
    for name in KEPT:
        draw(paper, figures[name], *SETTINGS[setting])
        images.append(small(seen(paper)))
    if os.environ.get("REMAKE_PICTURES"):
        FOLDER.mkdir(exist_ok=True)
        sheet(images).save(FOLDER / f"{setting}.png", optimize=True)
    kept, tall = on_sheet(setting, [one.height for one in images])
    assert tall == sum(one.height for one in images), "a picture is taller or lower than it was"
    distances = {name: apart(one, other) for name, one, other in zip(KEPT, images, kept, strict=True)}
    assert not {name: one for name, one in distances.items() if one[0] > MEAN or one[1] > PLACE}


def test_a_picture_that_is_broken_is_found(paper, figures):
    """A legend on the marks, a name that is cut, marks that are gone: what the tests above are for."""
    import plotly.graph_objects as go

    whole = figures["halves"]
    broken = go.Figure(whole).update_layout(legend={"y": 0.5, "yref": "paper", "x": 0.9, "xref": "paper"}, margin_l=10,
                                            yaxis_automargin=False)
    draw(paper, broken, TELEPHONE)
    faults = " ".join(paper.evaluate(FAULTS, STRIP))
    assert "the legend covers" in faults and "cut: " in faults
    whole = figures["influence"]
    draw(paper, whole, DESK)
    before = small(seen(paper))
    draw(paper, go.Figure(whole.data[1:], whole.layout), DESK)
    assert apart(small(seen(paper)), before)[1] > PLACE
