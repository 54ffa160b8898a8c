"""Anybody can write an address: whatever it says, every screen is drawn, with its sidebar, and nothing of the work changes."""

import pytest
from page_support import PAGES, new_app
from small_work_support import small, small_file

from pages.parts import address, session
from pages.parts.learn import lessons
from stabcore.teaching.catalog import LESSONS

NAMES = sorted({session.HIGHLIGHTED_IN_ADDRESS, "paper", "utm"} | address.SHORTS | lessons.NAMES)
VALUES = (
    "9" * 5000,
    "-1",
    "1e400",
    "nan",
    "",
    "\x00",
    "\u202e٣",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "a\nb",
    "0.1.2",
    "True",
    "__class__",
    "{{7*7}}",
    "x" * 2_000,
    "💥",
    "[1, 2]",
    "%00%2e",
    "' OR 1=1 --",
)
IDS = ("9" * 5000, "../../etc/passwd", "\x00" * 22, "💥" * 22, "A" * 21 + "/", "a" * 20_000)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return small_file(tmp_path_factory.mktemp("study"))


def drawn(app):
    """The page, without any error that nobody has put into words."""
    app.run()
    assert not app.exception, app.exception[0].value
    assert app.title or app.header or app.subheader
    return app


def asked(turn, lesson):
    """Every name of an address with some value, another one at every turn."""
    told = {name: [VALUES[(i + turn) % len(VALUES)]] * (1 + turn % 3) for i, name in enumerate(NAMES)}
    return {**told, "lesson": [lesson]} if turn % 2 else told


def kept(made):
    """What was chosen in a work; Data writes the roles of all columns there, whatever the address says."""
    return {**made.settings, "roles": made.settings["roles"]["target"]}


def tried(page, made, turn):
    before = kept(made)
    app = new_app()
    lesson = sorted(LESSONS)[turn % len(LESSONS)]
    for name, texts in {**asked(turn, lesson), "id": made.id}.items():
        app.query_params[name] = texts
    drawn(app.switch_page(f"pages/{page}.py"))
    assert app.session_state["id"] == made.id and app.sidebar.button(key="forget"), "the way out is drawn"
    assert kept(made) == before and made.folder.is_dir()


@pytest.mark.parametrize(("turn", "page"), list(enumerate(PAGES)))
def test_whatever_an_address_says_the_screen_and_its_sidebar_are_drawn(turn, page, file):
    tried(page, small(file), turn)


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(len(VALUES)))
@pytest.mark.parametrize("page", PAGES)
def test_every_name_of_an_address_with_every_value(page, turn, file):
    tried(page, small(file), turn)


@pytest.mark.parametrize("text", IDS)
def test_an_id_that_is_none_opens_nothing(text, home):
    app = new_app()
    app.query_params["id"] = text
    drawn(app)
    assert "id" not in app.session_state and not (home.exists() and list(home.iterdir()))


def test_the_id_of_another_work_opens_that_one_and_leaves_both_as_they_are(file):
    one, other = small(file), small(file)
    before = kept(one), kept(other)
    app = new_app(id=one.id)
    app.query_params["id"] = other.id
    drawn(app.switch_page("pages/stability.py"))
    assert app.session_state["id"] == other.id and app.sidebar.button(key="forget")
    assert (kept(one), kept(other)) == before
