"""Names of features, classes, files, selectors, scenarios, groups and projects: nothing in them lives, on any screen."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from hostile_cells_support import HOSTILE
from page_support import PAGES, open_page
from project_support import studied, study_file

import stabcore as sc
from pages.parts.text import escape_label
from stabcore.data.spreadsheets import csv_bytes

NAMES = tuple(dict.fromkeys(" ".join(name.split()) for name in HOSTILE.values()))
NAMES = tuple(name for name in NAMES if name.replace("\u200b", ""))
LIVE = re.compile(
    r"!\[|\]\(|:material/delete: x|:smile:|:\+1:|:red\[|-background\[|-badge\[|\$\\frac|\$5 or \$6|"
    r"\*\*b\*\*|~~s~~|`c`|`id`|^\s{0,3}# h|https?://evil|<(?:script|img|svg|a )",
    re.MULTILINE,
)
MARKUP = ("markdown", "caption", "info", "warning", "error", "success", "header", "subheader", "title", "toast")
LABELLED = (
    *("button", "checkbox", "radio", "selectbox", "multiselect", "slider", "toggle", "number_input", "text_input", "metric"),
    *("expander", "tabs"),
)
IN_FIGURES = re.compile(r"<(?:a|img|script|svg)\b", re.IGNORECASE)


def live(text):
    """What of a text a screen would take as markup: what is escaped, it does not."""
    match = LIVE.search(re.sub(r"\\[^\w\s]", "", str(text)))
    return match and match[0]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A study file about nothing but such names, and its table."""
    rng, rows = np.random.default_rng(0), 40
    frame = pd.DataFrame(rng.normal(size=(rows, len(NAMES))), columns=list(NAMES))
    frame["outcome"] = np.where(frame.iloc[:, 0] + rng.normal(size=rows) > 0, NAMES[2], NAMES[7])
    selectors = {NAMES[0]: "mim", NAMES[10]: "relieff"}
    return study_file(tmp_path_factory.mktemp("study") / "s.stab", frame, selectors, sc.Subsample(6, 0.5)), frame


def project(hostile):
    """A project of it, with groups, scenarios, a title and a file of such names."""
    path, frame = hostile
    made = studied(path)
    groups = {NAMES[i]: list(NAMES[i : i + 2]) for i in range(0, len(NAMES) - 1, 2)}
    scenarios = {name: {"base": "groups", "groups": groups} for name in NAMES[:12]}
    made.save(
        table=made.save_upload(NAMES[0] + ".csv", frame.to_csv(index=False).encode()),
        roles={"target": "outcome"},
        name=NAMES[1],
        title=NAMES[13],
        table_name=NAMES[20],
        scenarios=scenarios,
        scenario=scenarios[NAMES[0]],
        scenario_name=NAMES[0],
    )
    return made


def markup(app):
    """(where, text) of all that a screen takes as markup."""
    for kind in MARKUP:
        yield from ((kind, part.value) for part in getattr(app, kind))
    for kind in LABELLED:
        yield from ((f"label of a {kind}", part.label) for part in getattr(app, kind))
    for kind in ("radio", "button_group"):
        yield from (
            (f"option of a {kind}", getattr(option, "content", option)) for part in app.get(kind) for option in part.options
        )


def test_hostile_names_stay_text(hostile):
    assert len(NAMES) >= 50 and live("# h") and not live(r"\!\[x\]\(y\)"), "the finder finds what lives"
    app = open_page("stability", project(hostile))
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, (page, app.exception[0].value)
        assert not {(where, text[:300]) for where, text in markup(app) if live(text)}, page
        for chart in app.get("plotly_chart"):
            spec = json.loads(chart.proto.spec)
            assert not IN_FIGURES.search(json.dumps([spec["data"], spec["layout"].get("annotations", [])], ensure_ascii=False)), (
                page
            )


def test_names_are_disarmed_in_every_table_that_is_downloaded():
    data = csv_bytes(pd.DataFrame({name: [name, "x"] for name in HOSTILE.values()})).decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(data)) for cell in row]
    assert len(cells) == 3 * len(HOSTILE) and not [cell for cell in cells if cell.lstrip().startswith(("=", "+", "-", "@"))]
    text = csv_bytes(pd.DataFrame({"=a": ["=1+1", "@x", "fine", "-2"], "n": [-1.0, 2.0, np.nan, 4.0]})).decode("utf-8-sig")
    assert text.splitlines() == ["'=a,n", "'=1+1,-1.0", "'@x,2.0", "fine,", "'-2,4.0"], "numbers stay numbers"
    cells = ["a;=1+1", "a;b", "x\t@y", "a | -2", "a; +3", " =4", "n-1;2"]  # where a spreadsheet parts at semicolons
    read = pd.read_csv(io.BytesIO(csv_bytes(pd.DataFrame({"c;=2": cells})))).to_dict("list")
    assert read == {"c;'=2": ["a;'=1+1", "a;b", "x\t'@y", "a | -2", "a; '+3", "' =4", "n-1;2"]}


# what a real Chromium was seen to draw as text (and drew as an icon, an emoji, a list, bold or a link without)
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("**b** [a](u)", r"\*\*b\*\* \[a\](u)"),
        ("__class__", r"\_\_class\_\_"),
        ("_a_ b", r"\_a\_ b"),
        ("<b>x</b>", r"\<b>x\</b>"),
        (":red[x]", ":\u200bred\\[x\\]"),
        (":smile: :+1:", ":\u200bsmile: :\u200b+1:"),
        (":material/delete:", ":\u200bmaterial/delete:"),
        ("a\\b `c` $d$ ~e~", r"a\\b \`c\` \$d\$ \~e\~"),
        ("123. one", r"123\. one"),
        ("# h", r"\# h"),
        ("- a", r"\- a"),
        ("&amp;", r"\&amp;"),
        ("http://x", "http:\u200b//x"),
        ("a@b.org", "a\u200b@b.org"),
    ],
)
def test_a_label_with_markup_is_kept_from_it(text, written):
    assert escape_label(text) == written
