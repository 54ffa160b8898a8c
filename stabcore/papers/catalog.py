"""All exhibits by key, paper by paper."""

from __future__ import annotations

from stabcore.papers import bommert, hamer, kalousis, sechidis

EXHIBITS = {exhibit.key: exhibit for module in (kalousis, bommert, sechidis, hamer) for exhibit in module.EXHIBITS}
