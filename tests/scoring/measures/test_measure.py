"""A new measure is a new file: it is found, scored, compared and shown by its name."""

from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import Critics
from fairshot.scoring.measures.measure import Measure, find_measures
from fairshot.scoring.sample_scores import SampleScores
from fairshot.scoring.score import score
from fairshot.specs.registry import names
from tests.scoring.small_world import ON, PROTOCOL

ORDER = (
    "diversity recognizability distance class_distance copies originality beyond curve chords vendi precision recall "
    "density coverage authentic frechet inception"
).split()
INK = '''"""How much of an image is ink."""

from fairshot.scoring.measures.measure import Measure


class InkShare(Measure):
    """Ink over all pixels."""

    about = "share of pixels that are ink"
    unit = "share"
    compares_sets = True
    place = 55

    def by_class(self, evidence):
        """The mean over the images of each class."""
        return evidence.view.mean_by_class(evidence.view.ink.mean(axis=(1, 2)))
'''


class Samples(Measure):
    """How many images there are."""

    about = "images of all classes"

    def whole(self, evidence):
        """All of them."""
        return float(len(evidence.view.labels))


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "scoring" / "measures"
    folder.mkdir(parents=True)
    (folder / "ink_share.py").write_text(INK)
    monkeypatch.setenv("FAIRSHOT_PLUGINS", str(tmp_path))
    return tmp_path


def test_measures_stand_in_the_order_of_tables() -> None:
    assert list(find_measures()) == ORDER
    for name, measure in find_measures().items():
        assert measure.name == name
        assert measure.about


def test_a_file_more_is_a_measure_more(plugin: Path, critics: Critics, tmp_path: Path) -> None:
    assert names("measures")["ink_share"] == "How much of an image is ink"
    scores = score("copy", critic=critics, on=ON, count=3, protocol=PROTOCOL, measures=[Samples()])
    assert list(find_measures()) == [*ORDER[:5], "ink_share", *ORDER[5:]]
    exemplars = scores.exemplars.images.mean(axis=(1, 2, 3)) / 255
    assert list(scores["copy"].by_class("ink_share").values()) == pytest.approx(exemplars.tolist())
    assert scores["copy"].ink_share.value == pytest.approx(np.mean(exemplars))
    assert scores["copy"].samples.value == 18
    assert scores.difference("copy", "human", "ink_share").interval is not None
    assert "ink_share: share of pixels that are ink." in str(scores)
    again = SampleScores.load(scores.save(tmp_path / "scores.json"))
    assert again["copy"].ink_share.unit == "share", "files know what their measures are, plugins or not"


def test_two_measures_of_a_name_are_refused() -> None:
    with pytest.raises(FairshotError, match="two measures are called samples: rename one"):
        find_measures([Samples(), Samples()])
