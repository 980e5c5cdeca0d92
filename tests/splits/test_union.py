"""Splits of several sources as one."""

import numpy as np
import pytest

import fairshot as fs
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.data import split_joined
from fairshot.sources.union import sources_of
from fairshot.splits.any_source import split_at_random
from fairshot.splits.union import join_splits


def test_parts_are_joined_by_name() -> None:
    rng = np.random.default_rng(0)
    splits = [
        split_at_random(fs.data((rng.normal(size=(count * 4, 3)).astype(np.float32), np.repeat(np.arange(count), 4))))
        for count in (10, 20)
    ]
    joined = join_splits(splits)
    for part in ("base", "val", "novel"):
        parts = sources_of(getattr(joined, part))
        assert [len(one) for one in parts] == [len(getattr(split, part)) for split in splits]
    assert fs.split(splits).name == joined.name


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("omniglot/lake+cifar100/cifar-fs", ["omniglot/lake", "cifar100/cifar-fs"]),
        ("omniglot/lake+6", ["omniglot/lake+6"]),
        ("omniglot/lake+6+cifar100/fc100", ["omniglot/lake+6", "cifar100/fc100"]),
        ("folder:a+omniglot/b", ["folder:a+omniglot/b"]),
        ("array:a.npz+array:b+c.npz", ["array:a.npz", "array:b+c.npz"]),
        ("folder:a+table:b.parquet", ["folder:a", "table:b.parquet"]),
        ("glyphs:alphabets=50/random+omniglot", ["glyphs:alphabets=50/random", "omniglot"]),
    ],
)
def test_a_plus_joins_where_a_source_follows(text: str, pieces: list[str]) -> None:
    assert split_joined(text, ("omniglot", "cifar100", "glyphs")) == pieces


def test_a_split_by_makers_is_not_joined() -> None:
    images = np.zeros((40, 2), np.float32)
    source = fs.sources.from_arrays(
        images, np.tile(np.arange(4), 10), attributes={"drawer": np.repeat(np.arange(10), 4)}
    )
    with pytest.raises(FairshotError, match="sets each drawer apart, not classes, and cannot be joined"):
        join_splits([fs.split(source, "by-drawer")])
