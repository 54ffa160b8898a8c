"""A picture of coloured cells as a PNG: thirty times smaller than the numbers, and drawn in one go."""

from __future__ import annotations

import base64
import re
import struct
import zlib

import numpy as np


def data_uri(cells, colours) -> str:
    """PNG with a palette, as a data: address, of an (h, w) array of colour numbers.

    colours: up to 256 of "#RRGGBB" or "rgba(r,g,b,a)". Source: ISO/IEC 15948 (PNG), colour type 3.
    """
    height, width = cells.shape
    palette = np.array([_rgba(one) for one in colours], dtype=np.uint8)
    rows = np.zeros((height, width + 1), dtype=np.uint8)         # each row begins with the number of its filter: none
    rows[:, 1:] = cells
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)), (b"PLTE", palette[:, :3].tobytes()),
             (b"tRNS", palette[:, 3].tobytes()), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    png = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)
    return "data:image/png;base64," + base64.b64encode(png).decode()


def faded(colour, share) -> str:
    """A colour, "#RRGGBB" or "rgba(r,g,b,a)", more transparent."""
    if share >= 1:
        return colour
    red, green, blue, alpha = _rgba(colour)
    return f"rgba({red},{green},{blue},{alpha / 255 * share:.3g})"


def _rgba(colour):
    if colour.startswith("#"):
        return (*bytes.fromhex(colour[1:]), 255)
    *rgb, alpha = (float(part) for part in re.findall(r"[\d.]+", colour))
    return (*map(int, rgb), round(255 * alpha))


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
