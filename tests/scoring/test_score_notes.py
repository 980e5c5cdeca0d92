"""What a reader must know."""

from fairshot.scoring.critics import Critics
from fairshot.scoring.sample_scores import SampleScores
from fairshot.scoring.score import score
from tests.scoring.small_world import ON, PROTOCOL


def test_sets_of_different_sizes_are_noted(found: SampleScores, critics: Critics) -> None:
    few = score(["copy"], critic=critics, on=ON, count=4, protocol=PROTOCOL)
    assert any(note.startswith("sets differ in their images per class (copy 4, human 10)") for note in few.notes)
    assert "balls of copy reach to neighbour 3 and not 5, as a class has 4 images" in few.notes
    assert not any("sets differ" in note for note in found.notes)
