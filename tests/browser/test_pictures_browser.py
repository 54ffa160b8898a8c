"""Every figure is readable: nothing is cut or covered on a desktop or a telephone, and all look like their references.

A reference has two parts: a blurred picture of 80 pixels width, so that other fonts and another Chromium make no difference, and
the number of pixels of each colour of the palette, which shows a missing trace or a changed colour. After an intended change,
`REMAKE_PICTURES=1 pytest -m "slow or not slow" tests/browser/test_pictures_browser.py` writes new references. Look at them.
"""

import base64
import io
import json
import os
from pathlib import Path

import numpy as np
import plotly.io
import plotly.offline
import pytest
import streamlit
from every_figure_support import every_figure

from stabcore.plots.rendering import DARK, STYLE, screen_figure
from stabcore.plots.style import FLOOR_COLOUR, MEASURED, PALETTE, PAPER, TOOL_BAR

TELEPHONE, LARGE, DESK, WHOLE = 343, 583, 700, 1000  # pixels of a picture on 400, on 1280 at 200%, beside another, and alone
DRAW = """async ([text, width, scheme, paper]) => {
  const box = document.getElementById('picture'), figure = JSON.parse(text);
  Plotly.purge(box);
  box.style.width = width + 'px';
  Object.assign(document.body.style, {colorScheme: scheme, background: paper});
  await Plotly.newPlot(box, figure.data, {...figure.layout, width, autosize: false}, {displayModeBar: false, staticPlot: true});
  box.style.height = box._fullLayout.height + 'px';
}"""
# What keeps a picture from being read, in words: text that is cut, text on text, a legend on marks, text under the tool bar.
FAULTS = """(strip) => {
  const box = document.getElementById('picture'), whole = box.querySelector('.main-svg').getBoundingClientRect();
  const shown = (one) => one.textContent.trim() && getComputedStyle(one).visibility !== 'hidden' && +getComputedStyle(one).opacity;
  const texts = [...box.querySelectorAll('.main-svg text')].filter(shown).map(one => ({words: one.textContent.trim(),
    at: one.getBoundingClientRect(), turned: /rotate\\((?!0[,)]|-?90[,)])/.test(one.getAttribute('transform') || '')
    || /rotate\\((?!0[,)]|-?90[,)])/.test(one.parentElement.getAttribute('transform') || '')})).filter(one => one.at.width > 0);
  const faults = [];
  for (const {words, at} of texts) {
    if (at.left < whole.left - 0.5 || at.right > whole.right + 0.5 || at.top < whole.top - 0.5 || at.bottom > whole.bottom + 0.5)
      faults.push(`cut: ${words}`);
    if (at.top < whole.top + strip - 4) faults.push(`under the tool bar: ${words}`);
  }
  const common = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
    * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const size = (at) => at.width * at.height;
  texts.forEach((one, i) => texts.slice(i + 1).forEach((other) => {
    if (!one.turned && !other.turned && common(one.at, other.at) > 0.15 * Math.min(size(one.at), size(other.at)))
      faults.push(`on each other: ${one.words} | ${other.words}`);
  }));
  const legend = box.querySelector('.legend')?.getBoundingClientRect();
  for (const plot of Object.values(box._fullLayout._plots || {})) {
    const x = plot.xaxis, y = plot.yaxis, area = {left: whole.left + x._offset, right: whole.left + x._offset + x._length,
      top: whole.top + y._offset, bottom: whole.top + y._offset + y._length};
    if (legend && common(legend, area) > 60) faults.push(`the legend covers ${Math.round(common(legend, area))} pixels of marks`);
    if (x._length < 35 || y._length < 70) faults.push(`no room: ${Math.round(x._length)} × ${Math.round(y._length)}`);
  }
  if (!box.querySelector(':is(.point, .js-line, .hm image, .bars path, .boxes path, .im image, .gl-container, .shapelayer path)'))
    faults.push('nothing is drawn');
  return [...new Set(faults)];
}"""


def letters():
    """The font of the screens, which comes with Streamlit, or no style if Streamlit lacks it."""
    media = Path(streamlit.__file__).parent / "static" / "static" / "media"
    font = next(media.glob("SourceSansVF-Upright*.woff2"), None)
    inside = base64.b64encode(font.read_bytes()).decode() if font else ""
    return f"@font-face {{font-family: 'Source Sans'; src: url(data:font/woff2;base64,{inside}); font-weight: 200 900}}"


def studio(browser, ratio=1):
    """A page to draw on. ratio: pixels of the screen for each of a picture."""
    page = browser.new_page(viewport={"width": 1040, "height": 1600}, device_scale_factor=ratio)
    page.set_content(f"<style>{letters()} {STYLE}</style><body style='margin: 0'><div id='picture'></div>")
    page.evaluate("async () => { for (const how of ['', 'bold ']) await document.fonts.load(how + '12px \"Source Sans\"'); }")
    page.add_script_tag(content=plotly.offline.get_plotlyjs())
    return page


def draw(page, figure, width, scheme="light"):
    """Draw a figure as it is sent."""
    sent = plotly.io.to_json(screen_figure(figure, scheme == "dark"), validate=False)
    page.evaluate(DRAW, [sent, width, scheme, DARK[PAPER] if scheme == "dark" else PAPER])


def seen(page):
    """The picture as it is drawn now."""
    from PIL import Image

    box = page.locator("#picture").bounding_box()
    return Image.open(io.BytesIO(page.screenshot(clip=box))).convert("RGB")


FEATURES = (
    *("alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols", "flavanoids", "nonflavanoid_phenols"),
    *("proanthocyanins", "color_intensity", "hue", "od280/od315_of_diluted_wines", "proline"),
)
SELECTORS = (
    *("Lasso", "Random forest", "Boosted stumps (GBM)", "Mutual information (MIM)", "mRMR"),
    *("Conditional mutual information (CMIM)", "ANOVA F statistic", "Random ranking (baseline)"),
)
SETTINGS = {
    "light": (WHOLE, "light"),
    "dark": (DESK, "dark"),
    "telephone": (TELEPHONE, "light"),
    "telephone dark": (TELEPHONE, "dark"),
    "large": (LARGE, "light"),
    "double": (WHOLE // 2, "light"),
}
FINER = {"double": 2}  # pixels of the screen for each of a picture, as at 200%; elsewhere one
QUICK = "telephone"  # the one that every run of the tests tries
NARROW = " narrow"
FOLDER = Path(__file__).parent / "pictures"
WIDE, BLUR, STEP = 80, 2, 8  # pixels of a small picture; of 255: colours that are kept
MEAN, PLACE = 4.5, 44.0  # of 255: how far all of a picture, and the worst place in it, may be from the reference
NEAR = 40  # of 255: what counts as a colour of the palette
FEW, PART, EDGE = 40, 0.35, 0.02  # pixels of a colour that may come or go, their share, and that of the largest colour,
# whose edges are of lighter ones (a line between two rows of pixels has twice as many)


@pytest.fixture(scope="module")
def figures():
    return dict(every_figure(FEATURES, SELECTORS))


def of_width(figures, setting):
    """The figures that a screen of this setting shows: some have a version of their own for a telephone."""
    telephone = SETTINGS[setting][0] <= LARGE
    return {
        name: figure
        for name, figure in figures.items()
        if (telephone if name.endswith(NARROW) else not (telephone and name + NARROW in figures))
    }


@pytest.fixture(scope="module")
def paper(browser):
    page = studio(browser)
    yield page
    page.close()


def small(image):
    """A picture as it is kept."""
    return image.resize((WIDE, round(image.height * WIDE / image.width)), 1)


def ink(image):
    """How many pixels of a picture have each colour of the palette."""
    counts, colours = map(np.array, zip(*image.getcolors(image.width * image.height)))
    return [
        int(counts[np.abs(colours - [int(colour[i : i + 2], 16) for i in (1, 3, 5)]).max(axis=1) < NEAR].sum())
        for colour in (*PALETTE[:7], FLOOR_COLOUR)
    ]


def apart(first, second):
    """(mean, largest) distance of two small blurred pictures of one shape, (255, 255) if one is much taller."""
    from PIL import ImageFilter

    if abs(first.height - second.height) > 2:
        return 255.0, 255.0
    first, second = (
        np.asarray(each.resize(first.size).filter(ImageFilter.GaussianBlur(BLUR)), dtype=float) for each in (first, second)
    )
    distance = np.abs(first - second).max(axis=2)
    return distance.mean(), distance.max()


def differs(image, reference, counts):
    """The differences of a picture from its reference in words, "" without any."""
    mean, place = apart(small(image), reference)
    faults = [f"apart by {mean:.1f}, {place:.0f} at one place"] if mean > MEAN or place > PLACE else []
    for colour, now, before in zip((*PALETTE[:7], FLOOR_COLOUR), ink(image), counts, strict=True):
        if abs(now - before) > FEW + PART * max(now, before) + EDGE * max(counts):
            faults.append(f"{now} pixels of {colour}, before {before}")
    return "; ".join(faults)


def keep(setting, images):
    """A sheet of all pictures below each other, and of each its place there and its colours."""
    from PIL import Image

    smaller = {name: small(image) for name, image in images.items()}
    tops = np.cumsum([0, *(image.height for image in smaller.values())]).tolist()
    sheet = Image.new("RGB", (WIDE, tops[-1]))
    for small_image, top in zip(smaller.values(), tops):
        sheet.paste(small_image, (0, top))
    FOLDER.mkdir(exist_ok=True)
    sheet.point(lambda value: min(255, round(value / STEP) * STEP)).save(FOLDER / f"{setting}.png", optimize=True)
    rows = [
        json.dumps({"name": name, "top": top, "height": image.height, "ink": ink(images[name])})
        for (name, image), top in zip(smaller.items(), tops)
    ]
    (FOLDER / f"{setting}.json").write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


def references(setting):
    """{name: (small picture, pixels of each colour)} as they are kept."""
    from PIL import Image

    sheet = Image.open(FOLDER / f"{setting}.png").convert("RGB")
    rows = json.loads((FOLDER / f"{setting}.json").read_text(encoding="utf-8"))
    return {row["name"]: (sheet.crop((0, row["top"], WIDE, row["top"] + row["height"])), row["ink"]) for row in rows}


def against(setting, images):
    """{name: what is not as it was} of the pictures that differ from those kept; made anew first where that is asked for."""
    if os.environ.get("REMAKE_PICTURES"):
        keep(setting, images)
    known_pictures = references(setting)
    faults = {
        name: differs(image, *known_pictures[name]) if name in known_pictures else "there is no reference"
        for name, image in images.items()
    }
    return {name: fault for name, fault in faults.items() if fault} | dict.fromkeys(known_pictures.keys() - images.keys(), "gone")


@pytest.mark.parametrize(
    "setting", [QUICK, *(pytest.param(setting, marks=pytest.mark.slow) for setting in SETTINGS if setting != QUICK)]
)
def test_no_picture_is_cut_or_covered_and_all_equal_their_references(browser, paper, figures, setting):
    faults, images = {}, {}
    page = studio(browser, FINER[setting]) if setting in FINER else paper
    for name, figure in of_width(figures, setting).items():
        draw(page, figure, *SETTINGS[setting])
        faults[name], images[name] = page.evaluate(FAULTS, TOOL_BAR), seen(page)
    if page is not paper:
        page.close()
    changed = against(setting, images)
    assert not {name: fault for name, fault in faults.items() if fault}
    assert not changed


def test_a_picture_that_is_broken_is_found(paper, figures):
    """The test above finds a legend on the marks, a cut name, a missing trace and another colour."""
    import plotly.graph_objects as go

    legend = {"y": 0.5, "yref": "paper", "x": 0.9, "xref": "paper"}
    broken = go.Figure(figures["substitutes"]).update_layout(legend=legend, margin_l=10)
    draw(paper, broken, TELEPHONE)
    faults = " ".join(paper.evaluate(FAULTS, TOOL_BAR))
    assert "the legend covers" in faults and "cut: " in faults
    known_pictures = references(QUICK)
    for name, trace in (("beyond narrow", 3), ("leading", 1), ("influence", 0), ("fronts", 5), ("panel narrow", 2), ("paths", 1)):
        whole = figures[name]
        traces = list(whole.data)
        del traces[trace]
        draw(paper, go.Figure(traces, whole.layout), TELEPHONE)
        assert differs(seen(paper), *known_pictures[name]), f"{name} without a trace"
    for name in ("stability_by_runs", "substitutes", "fronts", "panel narrow", "grid by group"):
        other = json.loads(figures[name].to_json().replace(PALETTE[0], PALETTE[5]).replace(MEASURED, PALETTE[5]))
        draw(paper, go.Figure(other), TELEPHONE)
        assert differs(seen(paper), *known_pictures[name]), f"{name} in other colours"
