"""What is shown is what was measured."""

import numpy as np

from fairshot.reports.pictures import draw_pictures
from fairshot.scoring.critics import Critics
from fairshot.scoring.score import score
from fairshot.specs.data import find_part
from tests.scoring.small_world import ON, PROTOCOL


def test_what_is_shown_is_what_was_measured(critics: Critics) -> None:
    scores = score(["copy"], critic=critics, on=ON, count=3, protocol=PROTOCOL)
    gallery = scores.gallery()
    human, copies = gallery.concepts["human"]["simclr"], gallery.concepts["copy"]["simclr"]
    part = find_part(ON, recipe="diversity")
    own = {row.name: row for row in scores.by_class if row.samples == "human"}
    assert [one.diversity for one in human] == sorted(row.values["diversity"] for row in own.values())
    for one in human:
        assert one.diversity == own[one.name].values["diversity"]
        exemplar = 255 - np.asarray(part.store)[own[one.name].exemplar, 0]
        assert np.array_equal(one.drawings[0], exemplar)
        assert len(one.drawings) == 10
        assert (one.drawings == 255).mean() > 0.5, "dark on light"
    for one in copies:
        assert len(one.drawings) == 4
        assert (one.drawings == one.drawings[0]).all()
    assert gallery.concepts["human"]["prototypes"][0].diversity != human[0].diversity
    assert len(gallery.neighbours.places) == 60
    assert gallery.neighbours.exemplar.sum() == 6
    assert gallery.rival_neighbours is not None
    assert not np.array_equal(gallery.rival_neighbours.places, gallery.neighbours.places)
    names = [{one.name for one in sheet} for sheet in gallery.sheets.values()]
    assert names == [names[0]] * 2, "the same concepts of all sets"


def test_people_alone(critics: Critics) -> None:
    alone = score(["human"], critic=critics, on=ON, protocol=PROTOCOL)
    assert alone.sets == ["human"]
    assert alone.summary() == alone.verdict == ""
    names = {
        "plane.svg",
        "originality-ranks.svg",
        "tsne.svg",
        "tsne-prototypes.svg",
        "concepts-simclr.svg",
        "concepts-prototypes.svg",
        "sheet.svg",
    }
    assert set(dict(draw_pictures(alone, alone.gallery()))) == names
