"""Words from anywhere made safe for a page."""

from __future__ import annotations

import re
import sqlite3
from contextlib import contextmanager

import streamlit as st

from stabcore.base.errors import InputError, fault_words
from stabcore.base.text import nearest, shown

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")
_BEGINS = re.compile(r"^(\d*)([#+>.)-])")
_MARKUP = re.compile(r"[\\`*\[\]$~|]|<(?=[\w/!?])|&(?=[\w#])|(?<![^\W_])_|_(?![^\W_])")
_LINKED = re.compile(r"(?<=:)(?=//|material/)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
_NAMED = re.compile(r"(?<=:)(?=[\w+])")  # an emoji, an icon, a colour: a backslash does not keep them from being drawn


def plain(text) -> str:
    """Text from somebody's data for a Markdown surface: shown as it is, never as markup, link or image."""
    unlinked = _LINKED.sub("\u200b", " ".join(str(text).split()))  # addresses and icons live even when escaped
    return _SPECIAL.sub(r"\\\1", unlinked)


def label(text) -> str:
    """The same for the whole label of a control, of which screen readers read the Markdown: escaped only where it would be markup.

    What begins a line would be a heading, a list or a quotation; other signs are markup in pairs, or before what follows them.
    """
    unlinked = _NAMED.sub("\u200b", _LINKED.sub("\u200b", " ".join(str(text).split())))
    return _BEGINS.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", unlinked))


def show_error(error) -> bool:
    """Say what went wrong after a click, outside of any page; was it something that people can do something about?"""
    words = str(error) if isinstance(error, InputError) else fault_words(error)
    if words:
        st.error(plain(words), icon=":material/error:")
    return bool(words)


@contextmanager
def sentences():
    """Turn an InputError, wherever it was raised, into its sentence on the page; and a fault of the machine into one."""
    try:
        yield
    except InputError as error:
        st.error(plain(error), icon=":material/error:")
    except (OSError, sqlite3.Error, MemoryError) as error:
        words = fault_words(error)
        if not words:
            raise
        st.error(plain(words), icon=":material/error:")


def no_feature(name, features) -> str:
    """That a name that was typed is none of the features, for a page."""
    return plain(f"There is no feature {shown(name)}{nearest(name, features)}.")


def number(value) -> str:
    """A stability as it stands in a tile."""
    return f"{value:z.3f}" if value == value else "undefined"


def bullets(sentences):
    """Sentences from anywhere as one list."""
    if lines := "\n".join(f"- {plain(sentence)}" for sentence in sentences):
        st.markdown(lines)


def notes(assumed):
    """What was assumed while reading, one line each."""
    for sentence in assumed:
        st.caption(plain(sentence))
