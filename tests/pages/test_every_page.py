"""Every page without a browser: empty, loaded, reached by an address, forgotten, with hostile names."""

import io
import re

import numpy as np
import pandas as pd
import pytest
from page_support import PAGES, TITLES, brought, fine, fine_page, new_app, open_page, patients, sample, table, text_of
from support import ROOT

# ---- known ----


def test_every_screen_is_listed_described_and_tried():
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == set(PAGES), "app.py lists the screens that lie in pages/"
    rows = set(re.findall(r"^\| ([^|]+) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(TITLES.values()) <= rows, "the table of README.md says what each screen is for"
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("*/*page*.py") if path.name != "test_every_page.py"]
    untried = [page for page in PAGES if not any(re.search(rf"[\"'/]{page}(\.py)?[\"']", text) for text in tests)]
    assert not untried, f"tests/pages/test_{untried[0]}_page.py: what the screen says of a study that is known"


# ---- empty ----


@pytest.mark.parametrize("page", PAGES)
def test_empty_page_says_what_to_do_first(page):
    app = fine_page(page)
    assert app.title
    assert page in ("start", "learn") or app.info, "a page without data must say what is missing"


# ---- loaded ----


@pytest.mark.parametrize("page", PAGES)
def test_page_of_a_bundled_study(page):
    app = fine_page("start", sample())
    app = app if page == "start" else fine(app.switch_page(f"pages/{page}.py").run())
    assert app.title and not [one for one in app.info if "no results" in one.value]


def test_the_url_brings_the_work_back_and_a_made_up_one_does_not():
    made = sample()
    app = new_app()
    app.query_params["id"] = made.id
    fine(app.run())
    assert app.session_state["id"] == made.id
    for wrong in ("../../etc", "x" * 22, ""):
        app = new_app()
        app.query_params["id"] = wrong
        fine(app.run())
        assert "id" not in app.session_state


def test_forgetting_deletes_everything(home):
    made = sample()
    app = open_page("stability", made)
    app.sidebar.button(key="forget").click().run()
    assert not app.exception and not made.folder.exists() and "id" not in app.session_state


# ---- names in data are hostile ----


def test_hostile_names_stay_text():
    bad = ["![x](http://evil.test/x.png)", "<script>alert(1)</script>", "[a](http://evil.test)", "**b** $x$ :red[c]", "=1+1"]
    frame = patients().rename(columns=dict(zip(["ALT", "AST", "EGFR", "age"], bad)))
    made = table(frame, name="![n](http://evil.test/n.png).csv", roles={"target": "outcome", "exclude": []})
    runs = pd.DataFrame([[1, 1, 0, 0, 1], [1, 0, 1, 0, 0], [1, 1, 0, 0, 1]], columns=bad)
    selections = brought(runs, name="![s](http://evil.test/s.png)")
    of_table = ("start", "data", "groups", "study")
    for here, pages in ((made, of_table), (selections, [page for page in PAGES if page not in of_table])):
        for page in pages:
            app = open_page(page, here)
            assert not app.exception, app.exception
            for kind in ("markdown", "caption", "info", "warning", "error", "success", "header"):
                for one in getattr(app, kind):
                    assert "](http" not in one.value.replace("\\", "") or "\\]\\(http" in one.value, (page, kind, one.value)
                    assert "![" not in one.value, (page, kind, one.value)


def test_csv_cells_stay_text_where_a_spreadsheet_parts_at_semicolons():
    from stabcore.data.spreadsheets import csv_bytes

    cells = ["a;=1+1", "a;b", "x\t@y", "a | -2", "a; +3", " =4", "n-1;2"]
    assert pd.read_csv(io.BytesIO(csv_bytes(pd.DataFrame({"c;=2": cells})))).to_dict("list") == {
        "c;'=2": ["a;'=1+1", "a;b", "x\t'@y", "a | -2", "a; '+3", "' =4", "n-1;2"]
    }


def test_csv_cells_that_would_start_a_formula_are_disarmed():
    from stabcore.data.spreadsheets import csv_bytes

    text = csv_bytes(pd.DataFrame({"=a": ["=1+1", "@x", "fine", "-2"], "n": [-1.0, 2.0, np.nan, 4.0]})).decode("utf-8-sig")
    assert text.splitlines() == ["'=a,n", "'=1+1,-1.0", "'@x,2.0", "fine,", "'-2,4.0"]


def test_of_very_many_features_any_can_be_highlighted_by_its_name():
    rng = np.random.default_rng(0)
    names = [f"g{i}" for i in range(400)]
    app = fine(open_page("stability", brought(pd.DataFrame(rng.random((4, 400)) < 0.2, columns=names).astype(int))))
    hidden = next(name for name in names if name not in app.multiselect(key="picked__widget").options)
    app.multiselect(key="picked__widget").set_value([hidden, "g4000"]).run()
    assert "There is no feature 'g4000'" in text_of(fine(app).toast)
    assert app.multiselect(key="picked__widget").value == [hidden] and app.query_params["f"] == hidden[1:]
