"""How long the lines of a drawing are: ink thinned to lines of one pixel (Guo and Hall, CACM 1989), and their length.

Thinning keeps what hangs together and what is closed; a pixel goes or stays by its eight neighbours alone, so all
drawings are thinned at once by tables of the 256 cases.
"""

import numpy as np
from jaxtyping import Bool, Float, UInt8

AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # clockwise from above
DIAGONAL = float(np.sqrt(2))

Ink = Bool[np.ndarray, "image height width"]


def _removable(half: int) -> Bool[np.ndarray, " case"]:
    """By which neighbours are ink, whether a pixel goes: first from the south-east, then from the north-west."""
    bits = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(bool)
    n, ne, e, se, s, sw, w, nw = bits.T
    pieces = sum((~a & (b | c)).astype(int) for a, b, c in ((n, ne, e), (e, se, s), (s, sw, w), (w, nw, n)))
    ahead = sum((a | b).astype(int) for a, b in ((nw, n), (ne, e), (se, s), (sw, w)))
    behind = sum((a | b).astype(int) for a, b in ((n, ne), (e, se), (s, sw), (w, nw)))
    least = np.minimum(ahead, behind)
    held = (s | sw | ~nw) & w if half == 0 else (n | ne | ~se) & e
    return (pieces == 1) & (least >= 2) & (least <= 3) & ~held


REMOVABLE = tuple(_removable(half) for half in (0, 1))


def _moved(ink: Ink, down: int, across: int) -> Ink:
    """What lies so far down and across of each pixel; outside is paper."""
    height, width = ink.shape[1:]
    return np.pad(ink, ((0, 0), (1, 1), (1, 1)))[:, 1 + down : 1 + down + height, 1 + across : 1 + across + width]


def _cases(ink: Ink) -> UInt8[np.ndarray, "image height width"]:
    cases = np.zeros(ink.shape, dtype=np.uint8)
    for bit, (down, across) in enumerate(AROUND):
        cases |= _moved(ink, down, across).astype(np.uint8) << np.uint8(bit)
    return cases


def thin(ink: Ink) -> Ink:
    """Every drawing as lines of one pixel."""
    lines, rows = ink.copy(), np.arange(len(ink))
    while len(rows):  # those that still change
        before = lines[rows]
        own = before
        for removable in REMOVABLE:
            own = own & ~removable[_cases(own)]
        lines[rows] = own
        rows = rows[(own != before).any(axis=(1, 2))]
    return lines


def line_length(ink: Ink) -> Float[np.ndarray, " image"]:
    """In pixels, from one pixel of the lines to the next: 1, or the root of 2 where only the corner is shared."""
    lines = thin(ink)
    right, below = _moved(lines, 0, 1), _moved(lines, 1, 0)
    straight = (lines & right).sum(axis=(1, 2)) + (lines & below).sum(axis=(1, 2))
    falling = lines & _moved(lines, 1, 1) & ~right & ~below
    rising = right & below & ~lines & ~_moved(lines, 1, 1)
    return straight + DIAGONAL * (falling.sum(axis=(1, 2)) + rising.sum(axis=(1, 2)))
