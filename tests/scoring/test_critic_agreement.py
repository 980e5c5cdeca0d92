"""How much there is to draw, by hand."""

import numpy as np
import pytest
from scipy import stats

from fairshot.scoring.critics import Critics
from fairshot.scoring.line_length import line_length
from fairshot.scoring.measures.diversity import deviation_by_class
from fairshot.scoring.sample_scores import SampleScores
from fairshot.specs.data import find_part
from tests.scoring.small_world import ON


def test_how_much_there_is_to_draw_by_hand(found: SampleScores, critics: Critics) -> None:
    part, pair = find_part(ON, recipe="diversity"), critics
    images = np.asarray(part.read(slice(None)))
    own = {row.name: row.values["diversity"] for row in found.by_class if row.samples == "human"}
    diversity = [own[part.class_names[c]] for c in part.classes]
    rival = deviation_by_class(pair.features(images, "prototypes"), part.class_ids)
    much = {
        "line length": [line_length(images[part.class_ids == c, 0] > 127).mean() for c in part.classes],
        "ink": [(images[part.class_ids == c] > 127).sum() for c in part.classes],
        "strokes": part.class_attributes["strokes"][part.classes],
    }
    told = {(row.first, row.second): row.spearman for row in found.complexity}
    for name, values in much.items():
        assert told["simclr Eq. 2", name] == pytest.approx(stats.spearmanr(diversity, values)[0])
        assert told["prototypes Eq. 2", name] == pytest.approx(stats.spearmanr(rival, values)[0])
    assert len(told) == 6
    assert all(row.interval is None for row in found.complexity), "six classes are too few"
