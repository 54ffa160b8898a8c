"""All exhibits by key, paper by paper."""

from __future__ import annotations

from stabcore.papers import bommert, hamer, kalousis, sechidis

EXHIBITS = {one.key: one for module in (kalousis, bommert, sechidis, hamer) for one in module.EXHIBITS}
