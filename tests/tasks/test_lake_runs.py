"""Lake's 20 runs, against the published archive."""

import io
import zipfile

import numpy as np
import pytest
from PIL import Image

from fairshot.runtime.data import find_data
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.splits.omniglot import load
from fairshot.tasks.lake_runs import LakeRuns
from tests.conftest import make_vectors


def test_the_runs_are_those_of_all_runs_zip(omniglot: Source) -> None:
    try:
        path = find_data("omniglot", "all_runs")
    except FairshotError:
        pytest.skip("needs omniglot/all_runs.zip in a folder that FAIRSHOT_DATA lists")
    novel = load("lake", omniglot).novel
    episodes = LakeRuns().sample(novel, range(20), 0)
    with zipfile.ZipFile(path) as archive:
        for number in range(20):
            run = f"run{number + 1:02d}"
            pairs = [line.split() for line in archive.read(f"{run}/class_labels.txt").decode().splitlines() if line]
            queries = [_pixels(archive, f"{query}") for query, _ in pairs]
            classes = sorted({support for _, support in pairs})
            supports = [_pixels(archive, support) for support in classes]
            np.testing.assert_array_equal(omniglot.store[episodes.query_ids[number], 0], queries)
            np.testing.assert_array_equal(omniglot.store[episodes.support_ids[number], 0], supports)
            truth = [classes.index(support) for _, support in pairs]
            np.testing.assert_array_equal(episodes.query_labels[number], truth)


def test_there_are_twenty_and_no_more(omniglot: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        LakeRuns().sample(omniglot, range(21), 0)
    assert str(caught.value) == "Lake's 20 runs has 20 episodes, 21 were asked for"


def test_they_need_omniglot() -> None:
    with pytest.raises(FairshotError) as caught:
        LakeRuns().sample(make_vectors(), range(20), 0)
    assert str(caught.value) == "Lake's 20 runs need Omniglot's evaluation alphabets, vectors lacks 'drawer'"


def _pixels(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(archive.read(name)))).astype(np.uint8) * 255
