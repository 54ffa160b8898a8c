"""Files are read once and settings once a rerun; what is costly is done again only where something changed."""

from collections import Counter

import pytest
from file_support import ods
from group_page_support import C_text, families, two_scenarios
from page_support import PAGES, fine, fine_page, new_app, open_page, patients, press, sample, table
from pages.workspace.workspace import Workspace
from streamlit import cache_resource

import stabcore.data
import stabcore.io.table
import stabcore.similarity.files
from pages.parts import cache
from stabcore.io.decode import ENDINGS, TABLE_UPLOADS, UPLOADS
from stabcore.study.results import Results

MATRIX = b"ALT,AST,EGFR,TP53\n1,1,0,0\n1,0,1,0\n1,1,0,0\n"


@pytest.fixture
def counted(monkeypatch):
    """How often each function was called that was asked for: count(owner, name)."""
    calls = Counter()
    cache_resource.clear()

    def count(owner, name):
        inside = getattr(owner, name)

        def outside(*args, **options):
            calls[name] += 1
            return inside(*args, **options)

        monkeypatch.setattr(owner, name, outside)
        return calls

    return count


# ---- the settings of a workspace ----


def test_one_rerun_reads_the_settings_once(counted):
    made = two_scenarios()
    app = fine_page("groups", made, explored="random")
    calls = counted(Workspace, "_on_disk")
    fine(app.run())
    assert calls["_on_disk"] == 1
    for page in ("data", "stability", "whatif", "study"):
        calls.clear()
        fine(app.switch_page(f"pages/{page}.py").run())
        assert calls["_on_disk"] <= 2, page  # the first visit to Data saves roles


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("start", "data", "study", "learn")])
def test_one_rerun_asks_once_for_the_similarity(page, counted):
    app = fine_page(page, sample())
    calls = counted(cache, "similarity")
    fine(app.run())
    assert calls["similarity"] == 1


def test_a_change_of_another_tab_is_seen_at_the_next_turn_and_none_is_lost():
    made = two_scenarios()
    app = fine_page("groups", made, explored="random")
    made.save(scenario={**made.settings["scenario"], "threshold": 0.9}, name="from elsewhere")
    app.toggle(key="scenario-binary").set_value(False).run()
    assert made.settings["scenario"]["threshold"] == 0.9 and not made.settings["scenario"]["binary"]
    assert made.settings["name"] == "from elsewhere" and fine(app).slider(key="scenario-threshold").value == 0.9


# ---- the table of Data ----


def test_a_click_on_data_describes_and_checks_nothing_anew(counted):
    made = table(patients().assign(copy=patients()["ALT"]), roles={"target": "outcome", "exclude": []})
    counted(stabcore.data, "describe")
    calls = counted(stabcore.data, "check")
    app = fine_page("data", made)
    first = [one.value for one in app.warning]
    assert calls == {"describe": 1, "check": 1} and first
    for _ in range(3):
        fine(app.run())
    assert calls == {"describe": 1, "check": 1} and [one.value for one in app.warning] == first
    app.multiselect(key="exclude").select("copy").run()
    assert calls == {"describe": 1, "check": 2} and [one.value for one in fine(app).warning] != first


def test_another_file_under_the_same_name_is_described_anew():
    made = table(patients(), roles={"target": "outcome", "exclude": []})
    assert any("40 rows" in one.value for one in fine_page("data", made).markdown)
    (made.folder / made.settings["table"]).write_bytes(patients(rows=50).to_csv(index=False).encode())
    app = fine_page("data", made)
    assert any("50 rows" in one.value for one in app.markdown) and app.metric[0].value == "50"


# ---- what is uploaded ----


def test_an_uploaded_table_is_read_once(counted):
    calls = counted(stabcore.io.table, "read_table")
    app = new_app().run()
    app.file_uploader(key="table").upload("mine.csv", patients().to_csv(index=False).encode(), "text/csv").run()
    app.button(key="use-table").click().run()
    assert fine(app).selectbox(key="target").value == "outcome"
    for page in ("study", "groups", "data"):
        fine(app.switch_page(f"pages/{page}.py").run())
    assert calls == {"read_table": 1}


def test_uploaded_selections_are_read_once(counted):
    calls = counted(Results, "from_files")
    app = new_app().run()
    app.file_uploader(key="selections").upload("mine.csv", MATRIX, "text/csv").run()
    app.button(key="use-selections").click().run()
    assert any("come back" in one.value for one in fine(app).title) and calls == {"from_files": 1}


def test_an_uploaded_matrix_is_read_once(counted, monkeypatch):
    made = families(base="matrix")
    app = fine_page("groups", made)
    calls = counted(stabcore.similarity.files, "read_similarity")
    monkeypatch.setattr("pages.parts.groups.pairs.read_similarity", stabcore.similarity.files.read_similarity)
    app.file_uploader(key="matrix-file").upload("c.csv", C_text(0.5), "text/csv").run()
    app.button(key="take-matrix").click().run()
    assert "2 similar pairs" in fine(app).success[0].value and calls == {"read_similarity": 1}


def test_every_upload_takes_every_file_that_can_be_read():
    assert {ending.rsplit(".", 1)[1] for ending in ENDINGS} == set(UPLOADS)
    app = press(fine_page("groups", families(base="groups")), "group_way__widget", "file")
    found = {
        one.key: set(one.proto.type)
        for one in (
            *open_page("start").file_uploader,
            *app.file_uploader,
            *fine_page("groups", families(base="matrix")).file_uploader,
        )
    }
    wanted = {f".{one}" for one in UPLOADS}
    assert found["matrix-file"] == wanted and found["group-file"] == wanted | {".gmt"}
    assert found["selections"] == wanted | {".stab", ".json", ".r"}
    assert found["table"] == {f".{one}" for one in TABLE_UPLOADS} > wanted


def test_groups_come_from_an_open_document():
    made = families(base="groups")
    app = press(fine_page("groups", made), "group_way__widget", "file")
    app.file_uploader(key="group-file").upload("g.ods", ods([["feature", "group"], ["IL_6", "x"], ["age", "x"]])).run()
    app.button(key="take-groups").click().run()
    assert fine(app) and made.settings["scenario"]["groups"] == {"x": ["IL_6", "age"]}
