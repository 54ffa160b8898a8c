"""Reading what people bring: tables, selections and feature groups, as files, bytes or pasted text, with clear sentences."""

from stabcore.reading.files import UPLOADS
from stabcore.reading.frame import Reading
from stabcore.reading.relations import RelationReading, read_relation
from stabcore.reading.selections import KINDS, Selections, read_selections
from stabcore.reading.tables import read_groups, read_table, read_text

__all__ = ["KINDS", "UPLOADS", "Reading", "RelationReading", "Selections", "read_groups", "read_relation", "read_selections",
           "read_table", "read_text"]
