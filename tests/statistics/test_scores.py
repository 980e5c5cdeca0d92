"""Scores survive the disk to the last bit, or are refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.errors import FairshotError
from fairshot.statistics.scores import NO_SCORES, GrowingScores, Scores, join_scores, load_scores


def random_scores(episodes: int, queries: int, seed: int) -> Scores:
    rng = np.random.default_rng(seed)
    asked = rng.random((episodes, queries)) < 0.9
    return Scores(rng.random(episodes), asked & (rng.random((episodes, queries)) < 0.5), asked)


@given(episodes=st.integers(1, 20), queries=st.integers(1, 40), seed=st.integers(0, 99))
def test_what_is_saved_is_loaded(
    tmp_path_factory: pytest.TempPathFactory, episodes: int, queries: int, seed: int
) -> None:
    path = tmp_path_factory.mktemp("scores") / "a.npz"
    scores = random_scores(episodes, queries, seed)
    scores.save(path)
    loaded = load_scores(path)
    for a, b in zip(
        (scores.values, scores.correct, scores.asked), (loaded.values, loaded.correct, loaded.asked), strict=True
    ):
        np.testing.assert_array_equal(a, b)


def test_joining_pads_to_the_widest_and_keeps_the_order() -> None:
    a, b = random_scores(3, 4, 0), random_scores(2, 7, 1)
    joined = join_scores([NO_SCORES, a, b])
    assert joined.correct.shape == (5, 7)
    np.testing.assert_array_equal(joined.correct[:3, :4], a.correct)
    assert not joined.asked[:3, 4:].any()
    np.testing.assert_array_equal(joined[3:].values, b.values)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut off"])
def test_an_unreadable_file_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(FairshotError) as caught:
        load_scores(path)
    assert (
        str(caught.value)
        == f"{path} is gone, damaged or of another kind: remove it, and the same command makes it anew"
    )


FOREIGN = [
    {"values": np.array(["a", "b", "c"])},
    {"values": np.zeros((3, 1))},
    {"values": np.zeros(4)},
    {"queries": np.array([16])},
    {"queries": np.array(2**60)},
    {"queries": np.array(-1)},
    {"queries": np.array("16")},
    {"correct": np.zeros((3, 2))},
    {"correct": np.zeros((3, 9), np.uint8)},
    {"asked": np.zeros(3, np.uint8)},
    {"asked": np.array(None)},
]


@pytest.mark.parametrize("tables", FOREIGN)
def test_scores_of_another_kind_are_refused_in_one_line(tmp_path: Path, tables: dict[str, np.ndarray]) -> None:
    bits = np.zeros((3, 2), np.uint8)
    right = {"values": np.zeros(3), "queries": np.array(16), "correct": bits, "asked": bits}
    path = tmp_path / "a.npz"
    np.savez(path, allow_pickle=True, **(right | tables))
    with pytest.raises(FairshotError, match=r"a.npz is gone, damaged or of another kind: remove it, and the same "):
        load_scores(path)


def test_growing_scores_are_those_of_their_parts_joined() -> None:
    rng = np.random.default_rng(0)
    for ragged in (False, True):
        parts = []
        for width, count in ((9, 4), (9, 0), (20 if ragged else 9, 3)):
            correct = rng.random((count, width)) < 0.5
            asked = rng.random((count, width)) < 0.7 if ragged else np.ones_like(correct)
            parts.append(Scores(rng.random(count), correct & asked, asked))
        growing = GrowingScores(NO_SCORES)
        for part in parts:
            growing.add(part)
        whole, expected = growing.join(), join_scores(parts)
        assert len(growing) == len(expected) == 7
        assert growing.total == pytest.approx(expected.values.sum())
        for name in ("values", "correct", "asked"):
            np.testing.assert_array_equal(getattr(whole, name), getattr(expected, name))
    assert len(GrowingScores(NO_SCORES).join()) == 0
