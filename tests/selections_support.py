"""Selections of one selector, as files of several are read."""

from stabcore.io.selections import read_selectors


def read_selections(source, name=None, **options):
    """What the one selector of a file selected."""
    (selected,) = read_selectors(source, name, **options).values()
    return selected
