"""What was drawn is remembered as it was, in any portions, and no more of it than fits."""

import numpy as np
import pytest

from fairshot.sources.source import Source
from fairshot.tasks.block_memory import BlockMemory
from fairshot.tasks.task import BLOCK
from fairshot.tasks.uniform import Uniform

TASK = Uniform(way=3, shot=1, query=2)
PORTIONS = (range(BLOCK, BLOCK + 20), range(0, 2 * BLOCK), range(BLOCK - 5, BLOCK + 9), range(3, 4), range(0, BLOCK))


def test_remembered_episodes_are_those_that_are_drawn(vectors: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[range] = []
    sample = Uniform.sample
    monkeypatch.setattr(Uniform, "sample", lambda *given: drawn.append(given[2]) or sample(*given))
    memory = BlockMemory()
    for episodes in PORTIONS:
        for found, expected in zip(
            memory.sample(TASK, vectors, episodes, 4).tables, sample(TASK, vectors, episodes, 4).tables, strict=True
        ):
            np.testing.assert_array_equal(found, expected)
            assert found.dtype == expected.dtype
    assert drawn.count(range(0, BLOCK)) == 1  # once, though it was asked for three times
    assert memory.bytes < 2 * BLOCK * 50


def test_what_does_not_fit_is_drawn_again(vectors: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairshot.tasks.block_memory.MOST_BYTES", 1)
    memory = BlockMemory()
    for _ in range(2):
        memory.sample(TASK, vectors, range(0, 3 * BLOCK), 0)
    assert list(memory.blocks) == [0]
