"""Run a study in this process, and read the blocks, tables and text of a report."""

from concurrent.futures import ThreadPoolExecutor

import stabcore as sc

RUN = sc.Study.run


def run(study, store):
    """Run in this process, because starting others takes longer."""
    with ThreadPoolExecutor(1) as executor:
        return RUN(study, executor, store=store)


def blocks(parts, kind):
    return [block for part in parts for block in part.blocks if block.kind == kind]


def table(parts, name):
    return next(block.frame for block in blocks(parts, "table") if block.name == name)
