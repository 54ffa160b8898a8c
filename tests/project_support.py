"""Projects for tests of what the app keeps of them: with some settings, with a study."""

from store_support import done, told

from pages.workspace.project import Project
from stabcore.study.store import Store


def new_project(**settings):
    """A project with these settings."""
    made = Project.create()
    made.save(**settings)
    return made


def with_study(tasks=2):
    """A project with a table and a study of which so many tasks are done."""
    made = new_project(name="t.csv", roles={"target": "y"}, kind="table")
    made.save(table=made.keep("t.csv", b"y\n1\n"))
    made.write_study({"study": {"k": 2}, "selector": [{"key": "mim"}]})
    store = Store.create(made.folder / "study.stab", *told())
    for run in range(tasks):
        store.add(done(run))
    return made
