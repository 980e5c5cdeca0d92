"""The global random generators of Python, NumPy and torch: what nobody may change, and nothing may depend on."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

UNUSUAL = 9_007_199  # a seed that no learner would choose: one that sets its own must be seen to have changed something
OTHER = 7_654_321  # another one


def states() -> dict[str, bytes]:
    """The state of each global generator, as bytes."""
    name, words, place, spare, value = np.random.get_state()  # noqa: NPY002 the global one is what is looked at
    return {
        "torch": torch.get_rng_state().numpy().tobytes(),
        "numpy": repr((name, place, spare, value)).encode() + np.asarray(words).tobytes(),
        "python": repr(random.getstate()).encode(),
    }


@contextmanager
def generators_restored(seed: int = UNUSUAL) -> Iterator[None]:
    """Inside, the generators stand at an unusual place; afterwards, where they stood before."""
    kept = torch.get_rng_state(), np.random.get_state(), random.getstate()  # noqa: NPY002
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
    try:
        yield
    finally:
        torch.set_rng_state(kept[0])
        np.random.set_state(kept[1])  # noqa: NPY002
        random.setstate(kept[2])
