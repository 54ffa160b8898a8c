"""Convert docstrings to reStructuredText. They are written for a terminal, with names and meanings aligned by spaces, and |ρ|."""

import re

ENTRY = re.compile(r"( *)(\S.{0,60}?) {2,}(?=\S)(.*)")


def setup(app):
    """Register this extension before numpydoc, which parses its result."""
    app.connect("autodoc-process-docstring", lambda app, what, name, obj, options, lines: rewrite(lines), priority=100)
    return {"parallel_read_safe": True}


def rewrite(lines):
    """Turn aligned tables into definition lists, and vertical bars into plain text, in place, as Sphinx requires."""
    done, inside = [], None
    for line in lines:
        code = line.lstrip().startswith((">>>", "..."))
        entry = None if code else ENTRY.fullmatch(line)
        depth = len(line) - len(line.lstrip())
        if entry:
            if inside is None or len(entry[1]) < inside:
                done.append("")
            inside = len(entry[1])
            done += [entry[1] + entry[2], entry[1] + "    " + entry[3]]
        elif inside is not None and line.strip() and depth > inside:
            done.append(" " * (inside + 4) + line.strip())
        else:
            if inside is not None and line.strip():
                done.append("")
            inside = None
            done.append(line)
    lines[:] = [line if line.lstrip().startswith((">>>", "...")) else line.replace("|", r"\|") for line in done]
