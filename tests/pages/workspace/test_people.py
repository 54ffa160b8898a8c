"""Whose a project is, and who may do what with it: what belongs to one person is not there for any other."""

import pytest
from project_support import new_project, with_study

from pages.workspace import links, people
from pages.workspace.people import ALONE, MAY, NOBODY, OWNER, READER, STRANGER, may, person_of, standing
from pages.workspace.project import Project
from pages.workspace.projects import (
    KEEP_DAYS,
    QUOTA,
    QUOTA_EACH,
    describe_disk_use,
    duplicate,
    projects,
    refuse_when_full,
    unchanged,
)
from stabcore.base.errors import InputError

CLAIMS = {"is_logged_in": True, "iss": "https://id.example.org", "sub": "anne", "email": "anne@example.org"}
ANNE, BERT = person_of(CLAIMS), person_of({**CLAIMS, "sub": "bert"})


@pytest.fixture(autouse=True)
def own_home(home, monkeypatch):
    for name in (KEEP_DAYS, QUOTA, QUOTA_EACH):
        monkeypatch.delenv(name, raising=False)


def of(person, **settings):
    """A project of a person."""
    made = Project.create(person)
    made.save(**settings)
    return made


def test_a_person_is_issuer_and_subject_and_nothing_that_can_be_read():
    assert people._PERSON.fullmatch(ANNE) and len({ANNE, BERT, person_of({**CLAIMS, "iss": "https://id.example.com"})}) == 3
    assert person_of({**CLAIMS, "email": "other@example.org", "iat": 3}) == ANNE, "other claims about the same subject"
    assert person_of({**CLAIMS, "iss": "a", "sub": "bc"}) != person_of({**CLAIMS, "iss": "ab", "sub": "c"})
    for wrong in ({"iss": None}, {"sub": ""}, {"sub": 7}, {"is_logged_in": False}, {"is_logged_in": "true"}):
        assert person_of({**CLAIMS, **wrong}) is NOBODY and person_of({}) is NOBODY, "whom nobody vouches for"


def test_the_whole_table_of_who_may_do_what():
    everybody, owners = (ALONE, ANNE, BERT, NOBODY), (ALONE, ANNE, None)
    own_pairs = {(ALONE, ALONE), (ANNE, ANNE)}
    for person in everybody:
        for owner in owners:
            assert standing(person, owner, False) == (OWNER if (person, owner) in own_pairs else STRANGER)
            reads = (person, owner) in own_pairs | {(BERT, ANNE)}
            assert standing(person, owner, True) == (READER if reads else STRANGER)
    assert {OWNER: {"open", "list"}, READER: {"open"}, STRANGER: set()} == MAY


def test_another_person_finds_nothing_and_learns_nothing():
    mine = of(ANNE, name="secret.csv", kind="sample", sample="wine")
    for other in (BERT, ALONE, NOBODY):
        assert Project.find(mine.id, other) is Project.find("x" * 22, other) is None and projects(other) == []
        assert unchanged(mine.settings, other) is None and describe_disk_use(projects(other)).startswith("0 projects take 1 kB. ")
    assert Project.find(mine.id) is None, "who forgets to say who it is gets nothing"
    assert Project.find(mine.id, ANNE) == mine and [project.id for project in projects(ANNE)] == [mine.id]
    assert unchanged(mine.settings, ANNE) == mine
    made = new_project(name="a")
    assert Project.find(made.id) == made and people.FILE not in {path.name for path in made.folder.iterdir()}
    assert not may(ANNE, "open", made), "what was there before people signed in is shown to none of them"


def test_settings_and_files_of_a_project_keep_its_owner():
    mine = of(ANNE)
    mine.save(owner=BERT)
    assert mine.keep("owner", b"b" * 64) != people.FILE and mine.keep("../owner", b"b" * 64) != people.FILE
    assert people.owner_of(mine.folder) == ANNE and Project.find(mine.id, BERT) is None
    (mine.folder / "workspace.json").write_text("{")
    assert [project.title for project in projects(ANNE)] == ["a damaged project"] and projects(BERT) == []
    for text in ("", "anne", "a" * 63, "ä" * 64, "a" * 64 + "\n" + "b" * 64):
        (mine.folder / people.FILE).write_text(text, encoding="utf-8")
        assert all(Project.find(mine.id, person) is None for person in (ANNE, ALONE, NOBODY)), "an owner that cannot be read"


def test_a_read_only_copy_is_for_whoever_signed_in_and_has_its_link():
    mine = with_study()
    people.give(mine.folder, ANNE)
    copy = links.freeze(mine)
    assert Project.find(copy.id, BERT) == copy and people.owner_of(copy.folder) == ANNE
    assert Project.find(copy.id, ALONE) is Project.find(copy.id, NOBODY) is None
    assert projects(BERT) == [] and [project.id for project in projects(ANNE)] == [mine.id]
    with pytest.raises(InputError):
        Project.find(copy.id, BERT).save(title="mine now")
    assert mine.id not in "".join(path.read_text() for path in copy.folder.iterdir() if path.suffix in (".json", ".txt", ".toml"))
    theirs = duplicate(copy, BERT)
    assert people.owner_of(theirs.folder) == BERT and Project.find(theirs.id, ANNE) is None
    theirs.forget()
    assert Project.find(mine.id, ANNE) == mine and links.current(mine) is not None


def test_quotas_count_the_projects_of_one_person_or_of_all(monkeypatch):
    of(ANNE).keep("a.csv", b"x" * 3_000_000)
    monkeypatch.setenv(QUOTA_EACH, "0.002")
    refuse_when_full(BERT)
    with pytest.raises(InputError, match="^Your projects take all 2 MB"):
        refuse_when_full(ANNE)
    assert "1 project takes 3 MB of 2 MB" in describe_disk_use(projects(ANNE)) and "0 projects take 1 kB" in describe_disk_use(
        projects(BERT)
    )
    monkeypatch.setenv(QUOTA_EACH, "")
    refuse_when_full(ANNE)
    monkeypatch.setenv(QUOTA, "0.002")
    assert "1 project takes 3 MB of 2 MB for all projects together" in describe_disk_use(projects(ANNE))
    with pytest.raises(InputError, match="^All projects together take all 2 MB"):
        refuse_when_full(BERT)
