"""Models beside one another, by points made up."""

import pytest

from fairshot.studies.kinds.model_comparison import Contrast
from tests.studies.kinds.small_generators import make_plane

PLANE = make_plane({"far": [(2.0, 0.5), (2.02, 0.5)], "near": [(1.1, 0.85), (1.12, 0.85)], "copy": [(0.0, 0.9)]})


@pytest.mark.parametrize(
    ("axis", "pairs", "verdict"),
    [
        ("diversity", (("far", "near"),), "agree"),
        ("diversity", (("near", "far"),), "disagree"),
        ("distance", (("far", "near"), ("copy", "near")), "agree"),
        ("distance", (("far", "near"), ("near", "copy")), "disagree"),
        ("recognizability", (("copy", "human"),), "cannot be told"),
        ("diversity", (("far", "unknown"),), "cannot be told"),
    ],
)
def test_a_contrast_holds_if_all_of_its_pairs_do(axis: str, pairs: tuple[tuple[str, str], ...], verdict: str) -> None:
    assert Contrast("so it is", axis, pairs).claim(PLANE).verdict == verdict
