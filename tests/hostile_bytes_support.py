"""Damage of bytes, by lot."""


def damaged(rng, content):
    """Content that was cut, flipped, zeroed, doubled, or has something put into it."""
    data = bytearray(content)
    at, length = rng.randrange(len(data)), rng.choice((1, 1, 2, 5, 40, 500))
    other = rng.randrange(len(data))
    kind = rng.choice(("flip", "flip", "flips", "cut", "zero", "ones", "drop", "copy", "insert", "random"))
    if kind == "flip":
        data[at] ^= 1 << rng.randrange(8)
    elif kind == "flips":
        for _ in range(rng.choice((3, 10, 40))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del data[at:]
    elif kind in ("zero", "ones"):
        data[at : at + length] = (b"\0" if kind == "zero" else b"\xff") * len(data[at : at + length])
    elif kind == "drop":
        del data[at : at + length]
    elif kind == "copy":
        data[at:at] = data[other : other + length]
    elif kind == "insert":
        data[at:at] = rng.choice((b"\0", b'"', b"\n", b"\xff\xfe", b",", b"9", b"-", b"\r", b"\x1a", b";", b"'", b"<", b"&"))
    else:
        data[at : at + length] = rng.randbytes(length)
    return f"{kind} at {at}", bytes(data)
