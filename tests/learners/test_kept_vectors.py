"""Vectors are made once for an image, whoever asks and whatever happened in between."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.learners.encoded import Encoded
from fairshot.learners.features import Features
from fairshot.learners.kept_vectors import KeptVectors, image_keys
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path))
    return tmp_path


class Counting:
    """An encoder that counts the images it is shown, in a file: its own state would make it another encoder."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, images: np.ndarray) -> np.ndarray:
        with open(self.file, "a") as opened:
            opened.write("x" * len(images))
        return images.reshape(len(images), -1)[:, :5]

    @property
    def count(self) -> int:
        return self.file.stat().st_size if self.file.exists() else 0


def images(count: int, seed: int = 0) -> Source:
    pixels = np.random.default_rng(seed).integers(0, 256, (count, 6, 6), dtype=np.uint8)
    return from_arrays(pixels, np.arange(count) % 3)


def test_three_heads_embed_every_image_once(tmp_path: Path) -> None:
    encode, source = Counting(tmp_path / "count"), images(30)
    tables = [
        Features(source, Encoded(find_learner(head), encode)).vectors(source.image_ids)
        for head in ("prototypes:metric=cosine", "neighbours:metric=cosine", "chance")
    ]
    assert encode.count == 30
    np.testing.assert_array_equal(tables[0], tables[2])


def test_images_that_were_added_are_all_that_is_embedded(tmp_path: Path) -> None:
    encode, more = Counting(tmp_path / "count"), images(40)
    few = from_arrays(more.store[:30], more.class_ids[:30])
    for source in (few, more):
        vectors = Features(source, Encoded(find_learner("prototypes:metric=cosine"), encode)).vectors(source.image_ids)
    assert encode.count == 40
    np.testing.assert_allclose(vectors, source.store.reshape(len(source), -1)[:, :5] / np.float32(255), rtol=1e-6)


def test_another_encoder_makes_its_own_vectors() -> None:
    source = images(12)
    doubled, plain = (
        Features(source, Encoded(find_learner("prototypes:metric=cosine"), encode)).vectors(source.image_ids)
        for encode in (lambda x: 2 * x.reshape(len(x), -1), lambda x: x.reshape(len(x), -1))
    )
    np.testing.assert_allclose(doubled, 2 * plain)


def test_a_damaged_file_is_made_anew(cache: Path, tmp_path: Path) -> None:
    encode, source = Counting(tmp_path / "count"), images(9)
    learner = Encoded(find_learner("prototypes:metric=cosine"), encode)
    before = Features(source, learner).vectors(source.image_ids)
    (file,) = (cache / "vectors").rglob("*.npy")
    file.write_bytes(file.read_bytes()[:100])
    np.testing.assert_array_equal(Features(source, learner).vectors(source.image_ids), before)
    assert encode.count == 18


@given(known=st.lists(st.integers(0, 20), max_size=20), asked=st.lists(st.integers(0, 20), min_size=1, max_size=20))
def test_only_what_is_missing_is_made(known: list[int], asked: list[int]) -> None:
    kept, shown = KeptVectors(f"{hash((tuple(known), tuple(asked)))}"), list[int]()

    def vectors(numbers: list[int]) -> np.ndarray:
        keys = image_keys(np.array(numbers, dtype=np.uint8).reshape(-1, 1))

        def embed(missing: np.ndarray) -> np.ndarray:
            shown.extend(np.array(numbers)[missing].tolist())
            return np.array(numbers, dtype=np.float32)[missing][:, None] * [1, 10]

        return kept.fill(keys, embed)

    if known:
        vectors(known)
    shown.clear()
    found = vectors(asked)
    assert set(shown) == set(asked) - set(known)
    np.testing.assert_array_equal(found, np.array(asked)[:, None] * [1, 10])


def test_the_way_an_image_is_shown_is_part_of_its_key() -> None:
    pixels = np.zeros((1, 1, 4, 4), dtype=np.uint8)
    keys = {image_keys(pixels, way)[0] for way in ((), (0.0, 1.0, None), (0.5, 0.5, 3))}
    assert len(keys) == 3
    assert image_keys(pixels)[0] != image_keys(pixels.reshape(1, 1, 2, 8))[0]


def test_a_vector_that_changed_on_the_disk_is_made_anew_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys, made = image_keys(images(6).store), []

    def embed(missing: np.ndarray) -> np.ndarray:
        made.append(len(missing))
        return np.arange(18, dtype=np.float32).reshape(6, 3)[missing]

    vectors = KeptVectors("encoder").fill(keys, embed)
    (file,) = KeptVectors("encoder").folder.glob("*.npy")
    content = bytearray(file.read_bytes())
    content[-6] ^= 1  # in the last vector, before its checksum
    file.write_bytes(content)
    np.testing.assert_array_equal(KeptVectors("encoder").fill(keys, embed), vectors)
    assert capsys.readouterr().err == (
        f"fairshot: {file} is damaged, its content does not have its checksum: it is made anew\n"
    )
    for _ in range(2):
        np.testing.assert_array_equal(KeptVectors("encoder").fill(keys, embed), vectors)
    assert made == [6, 1, 5]  # a damaged file is given up, with those of its vectors that are as they were


def test_vectors_of_earlier_versions_have_no_checksum_and_are_used() -> None:
    keys = image_keys(images(2).store)
    table = np.empty(2, dtype=[("key", "S32"), ("vector", np.float32, (3,))])
    table["key"], table["vector"] = keys, 7
    KeptVectors("encoder").folder.mkdir(parents=True)
    np.save(KeptVectors("encoder").folder / "old.npy", table)
    assert (KeptVectors("encoder").fill(keys, lambda missing: np.zeros((len(missing), 3), np.float32)) == 7).all()
