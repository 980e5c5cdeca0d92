"""People's drawings as they come."""

from pathlib import Path

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import Critics
from fairshot.scoring.score import score
from fairshot.specs.data import find_part
from tests.scoring.small_world import ON, PROTOCOL, value


def test_people_with_light_ink_are_read_as_such(critics: Critics, tmp_path: Path) -> None:
    part, made = find_part(ON), []
    for name, images in (("dark", np.asarray(part.read(slice(None)))), ("light", 255 - part.read(slice(None)))):
        np.savez(tmp_path / f"{name}.npz", X=images, y=np.array(part.class_names)[part.class_ids])
        made.append(score(["copy", "strangers"], critic=critics, on=f"array:{tmp_path / name}.npz", protocol=PROTOCOL))
    dark, light = made
    for row in dark.rows:
        assert value(light, row.learner, row.metric) == pytest.approx(row.number, rel=1e-6), row.metric
    assert "the drawings of people, light, are light on dark: they were read as such" in light.notes
    assert not any("drawings of people" in note for note in dark.notes)
    assert light.source.fingerprint != dark.source.fingerprint


def test_people_need_a_drawing_beside_the_exemplar(critics: Critics, tmp_path: Path) -> None:
    part = find_part(ON)
    rows = np.searchsorted(part.class_ids, part.classes)
    np.savez(tmp_path / "one.npz", X=np.asarray(part.read(rows)), y=np.arange(len(rows)))
    with pytest.raises(FairshotError) as refused:
        score(["copy"], critic=critics, on=f"array:{tmp_path / 'one.npz'}", protocol=PROTOCOL)
    assert str(refused.value) == (
        "one has a class of 1 drawings by people, and 1 of them stand for it: give 2 or more of each class"
    )
