"""Texts from elsewhere, made safe for a page."""

import re
import sqlite3
from contextlib import contextmanager
from datetime import datetime

import streamlit as st

from stabcore.base.errors import InputError, describe_fault
from stabcore.base.text import quote, suggest_name

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")
_LIST_MARK = re.compile(r"^(\d*)([#+>.)-])")
_MARKUP = re.compile(r"[\\`*\[\]$~|]|<(?=[\w/!?])|&(?=[\w#])|(?<![^\W_])_|_(?![^\W_])")
_LINKED = re.compile(r"(?<=:)(?=//|material/)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
_DIRECTIVE = re.compile(r"(?<=:)(?=[\w+])")  # an emoji, an icon, a colour: a backslash does not prevent them


def plain(text) -> str:
    """Text from data for Markdown: shown as it is, never as markup, link or image."""
    unlinked = _LINKED.sub("\u200b", " ".join(str(text).split()))  # addresses and icons work even when escaped
    return _SPECIAL.sub(r"\\\1", unlinked)


def escape_label(text) -> str:
    """The same for the label of a control, whose Markdown screen readers read. Only real markup is escaped.

    At its start, a label could be a heading, a list or a quotation. Other signs are markup in pairs, or before certain characters.
    """
    unlinked = _DIRECTIVE.sub("\u200b", _LINKED.sub("\u200b", " ".join(str(text).split())))
    return _LIST_MARK.sub(r"\1\\\2", _MARKUP.sub(r"\\\g<0>", unlinked))


def show_error(error) -> bool:
    """Show an error as a sentence. Returns whether people can do something about it."""
    words = str(error) if isinstance(error, InputError) else describe_fault(error)
    if words:
        st.error(plain(words), icon=":material/error:")
    return bool(words)


@contextmanager
def show_errors():
    """Show an InputError, or a fault of the machine, as a sentence on the page."""
    try:
        yield
    except (InputError, OSError, sqlite3.Error, MemoryError) as error:
        if not show_error(error):
            raise


def describe_unknown_feature(name, features) -> str:
    """The sentence for an unknown feature name, safe for a page."""
    return plain(f"There is no feature {quote(name)}{suggest_name(name, features)}.")


def format_time(seconds) -> str:
    """A time in seconds since 1970, as text."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def format_stability(value) -> str:
    """A stability in a metric."""
    return f"{value:z.3f}".replace("-", "−") if value == value else "undefined"


def show_bullets(sentences):
    """Sentences as one list, made safe."""
    if lines := "\n".join(f"- {plain(sentence)}" for sentence in sentences):
        st.markdown(lines)


def show_notes(assumed):
    """Notes on reading, one line each."""
    for sentence in assumed:
        st.caption(plain(sentence))
