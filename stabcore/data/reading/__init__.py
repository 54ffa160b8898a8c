"""Reading what people bring: tables, selections and feature groups, as files, bytes or pasted text, with clear sentences."""

from stabcore.data.reading.choices import Choices, read_chosen
from stabcore.data.reading.files import UPLOADS
from stabcore.data.reading.frame import Reading
from stabcore.data.reading.layout import Layout
from stabcore.data.reading.mends import Mend, apply
from stabcore.data.reading.questions import Question, suggest
from stabcore.data.reading.selections import KINDS, Selections, read_selections
from stabcore.data.reading.tables import read_groups, read_table, read_text

__all__ = ["KINDS", "UPLOADS", "Choices", "Layout", "Mend", "Question", "Reading", "Selections", "apply", "read_chosen",
           "read_groups", "read_selections", "read_table", "read_text", "suggest"]
