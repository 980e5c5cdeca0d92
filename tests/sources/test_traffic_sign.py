from pathlib import Path

import numpy as np
import pytest

from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file
from tests.sources.layouts import SIGN_NAMES, lay_out, photograph, signs


@pytest.mark.parametrize("name", ["GTSRB_Final_Training_Images.zip", "GTSRB_Final_Training_Images"])
def test_frames_of_a_track_are_a_group(name: str, data_folder: Path) -> None:
    lay_out(signs(), data_folder / "traffic_sign" / name)
    source = find_source("traffic_sign")
    assert (
        source.class_names
        == SIGN_NAMES
        == ("00.Speed limit (20km/h)", "42.End of no passing by vehicles over 3.5 metric tons")
    )
    assert source.attributes["group"].tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
    assert (source.store[11] == np.asarray(photograph(3, 42, 1, 2)).transpose(2, 0, 1)).all()
    assert len(find_part("traffic_sign/meta-dataset/novel", recipe="8")) == 12


def test_the_copy_at_hand() -> None:
    data_file("gtsrb/gtsrb_32px_tracks.zip")
    part = find_part("traffic_sign:copy=small/meta-dataset/novel", recipe="raw")
    assert (part.store.shape, len(part.classes)) == ((3370, 3, 32, 32), 43)
    assert len(np.unique(part.attributes["group"])) == 674
    assert set(np.bincount(part.attributes["group"])) == {5}
