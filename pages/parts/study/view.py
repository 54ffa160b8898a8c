"""What the sections of Study share: the work, its table, whether its study runs, the study that was started last."""

from dataclasses import dataclass
from functools import cached_property

from pages.parts import cache, text
from pages.workspace.workspace import Workspace
from stabcore.data import Dataset


@dataclass(frozen=True, eq=False)
class StudyView:
    """The work and its table; running: does a study run, as this screen is drawn?"""

    here: Workspace
    data: Dataset
    running: bool

    @property
    def own(self):
        """The file of the study that was started last."""
        return self.here.folder / "study.stab"

    @cached_property
    def ended(self):
        """The study that was started last, once it has ended; None, with a sentence, where its file is damaged."""
        with text.sentences():
            return None if self.running else cache.own_study(self.here)
        return None
