"""A report to look into: a study run in this process, the blocks of its parts, the frames of its tables."""

from concurrent.futures import ThreadPoolExecutor

import stabcore as sc

RUN = sc.Study.run


def run(study, store):
    """Run in this process: starting others would take longer."""
    with ThreadPoolExecutor(1) as executor:
        return RUN(study, executor, store=store)


def blocks(parts, kind):
    return [block for part in parts for block in part.blocks if block.kind == kind]


def table(parts, name):
    return next(block.frame for block in blocks(parts, "table") if block.name == name)


def said(parts, number):
    texts = []
    for block in next(part for part in parts if part.number == number).blocks:
        texts += block.items if block.kind == "bullets" else [block.text] if block.kind in ("text", "heading") else []
    return " ".join(texts)
