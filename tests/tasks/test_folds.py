import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.glyphs.glyphs import load
from fairshot.tasks.folds import support_folds
from fairshot.tasks.uniform import Uniform


def test_every_support_image_is_a_query_once_and_no_query_is_seen() -> None:
    source = load(alphabets=2, characters=5, drawers=5)
    episodes = Uniform(way=4, shot=3, query=2).sample(source, range(6), 0)
    folds = support_folds(episodes)
    assert len(folds) == 18
    for number in range(6):
        own = slice(number, None, 6)
        asked = np.sort(folds.query_ids[own].ravel())
        assert (asked == np.sort(episodes.support_ids[number])).all()
        for support, query in zip(folds.support_ids[own], folds.query_ids[own], strict=True):
            assert set(support) | set(query) == set(episodes.support_ids[number])
            assert set(support).isdisjoint(query)
    classes = dict(zip(source.image_ids.tolist(), source.class_ids.tolist(), strict=True))
    for ids, labels, own in zip(folds.query_ids, folds.query_labels, folds.class_ids, strict=True):
        assert [classes[i] for i in ids.tolist()] == own[labels].tolist()
    for ids, labels, own in zip(folds.support_ids, folds.support_labels, folds.class_ids, strict=True):
        assert [classes[i] for i in ids.tolist()] == own[labels].tolist()


def test_one_shot_leaves_nothing_to_validate_on() -> None:
    source = load(alphabets=2, characters=5, drawers=5)
    with pytest.raises(FairshotError, match="raise shot"):
        support_folds(Uniform(way=4, shot=1, query=2).sample(source, range(2), 0))
