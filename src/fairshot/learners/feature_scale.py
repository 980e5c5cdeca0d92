"""Features of a strange scale: what a reader must know of vectors that single precision does not serve well."""

import numpy as np
from jaxtyping import Float

LARGEST, SMALLEST = 1e12, 1e-12  # spreads beyond which products of squares leave the range of 32-bit floats
FARTHEST = 1e4  # times the spread: of the seven digits of a 32-bit float, three are left to tell vectors apart


def tell_scale(name: str, vectors: Float[np.ndarray, "image feature"]) -> list[str]:
    """One sentence if the scale of some vectors is strange; nothing otherwise."""
    exact = vectors.astype(np.float64)
    mean = exact.mean(axis=0)
    spread, away = (float(np.sqrt(np.square(table).mean())) for table in (exact - mean, mean))
    if len(exact) < 2 or not exact.size:
        return []
    if spread == 0:
        return [f"all vectors that {name} sees are the same"]
    if not SMALLEST <= spread <= LARGEST:
        return [
            f"the vectors that {name} sees have a spread of {spread:.0e}, where 32-bit floats lose digits or end: "
            "divide them by it"
        ]
    if away > FARTHEST * spread:
        return [
            f"the vectors that {name} sees are {away / spread:.0e} times as far from zero as from their mean, so that "
            "32-bit floats have lost most of their digits: subtract the mean before they are stored"
        ]
    return []
