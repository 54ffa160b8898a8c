"""All figures and tables, paper by paper, by key."""

from __future__ import annotations

from stabcore.papers import bommert, hamer, kalousis, sechidis

EXHIBITS = {one.key: one for module in (kalousis, bommert, sechidis, hamer) for one in module.EXHIBITS}
