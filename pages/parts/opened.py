"""The workspace as one rerun of a page has it open."""

import json
from functools import cached_property

import streamlit as st

from pages.workspace.workspace import Workspace

TRIED_HERE = "tried"                    # key of the session: settings that it has tried in a read-only copy
TRIED = {"scenarios", "scenario", "scenario_name", "compared", "asked", "panels"}


class Opened(Workspace):
    """A workspace during one rerun: its settings, which a page asks for a hundred times, are read once and after each change.

    Another rerun may have another tab's changes to see, and what is saved is always added to what lies on the disk. In a read-only
    copy, what-ifs that a work would keep (TRIED) are kept by the session alone, so that each viewer has their own.
    """

    def once(self, question: str, make):
        """What make() gives, asked for once a rerun and after each change: files that were read need not be looked for again."""
        if question not in self._answers:
            self._answers[question] = make()
        return self._answers[question]

    @cached_property
    def _answers(self) -> dict:
        return {}

    @cached_property
    def settings(self) -> dict:
        """See Workspace."""
        kept = super().settings
        return {**kept, **st.session_state.get(TRIED_HERE, {})} if "frozen" in kept else kept

    def save(self, **changes):
        """See Workspace."""
        if self.frozen is not None and set(changes) <= TRIED:
            st.session_state[TRIED_HERE] = {**st.session_state.get(TRIED_HERE, {}), **json.loads(json.dumps(changes))}
        else:
            super().save(**changes)
        for name in ("settings", "_answers"):
            self.__dict__.pop(name, None)
