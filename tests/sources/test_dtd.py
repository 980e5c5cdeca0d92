from pathlib import Path

import numpy as np
import pytest

from fairshot.specs.data import find_part, find_source
from tests.conftest import data_file
from tests.sources.layouts import lay_out, photograph, textures


@pytest.mark.parametrize("name", ["dtd-r1.0.1.tar.gz", "dtd"])
def test_textures_are_read_and_leftover_files_are_not(name: str, data_folder: Path) -> None:
    lay_out(textures(), data_folder / "dtd" / name)
    source = find_source("dtd")
    assert (source.class_names, len(source)) == (("banded", "waffled"), 4)
    assert (source.store[3] == np.asarray(photograph(2, 1, 1)).transpose(2, 0, 1)).all()


def test_the_copy_at_hand() -> None:
    data_file("wild/dtd10_84.zip")
    assert find_source("dtd:copy=wild").store.shape == (1200, 3, 84, 84)
    part = find_part("dtd:copy=wild/meta-dataset/base")
    assert part.notes[1] == ("10 of the 47 classes of meta-dataset are here: 7 of 33 base, 0 of 7 val, 3 of 7 novel")
    assert len(part.classes) == 7
